import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { type FindingDetail, findingWordsSchema } from '@/lib/schemas/api/finding'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { FINDING_COLUMNS, type FindingRow, trackedFinding } from './finding-row'
import { noSuchFinding } from './no-such-finding'

const FIND = `
SELECT ${FINDING_COLUMNS}, c.name AS cloud FROM finding f JOIN cloud c ON c.id = f.cloud_id WHERE f.id = $1`

const EVENTS = `SELECT at, kind, actor, note, change_id AS "changeId" FROM finding_event WHERE finding_id = $1 ORDER BY at, id`

type EventRow = { at: Date; kind: string; actor: string; note: string | null; changeId: number | null }

/** One finding with its history. */
export const getFinding = async (ctx: ServiceContext, { id }: { id: number }): Promise<FindingDetail> => {
  requirePermission(ctx, 'fleet.read')
  const { query } = ctx.database
  const [found] = await query(FIND, [id], uncheckedRow<FindingRow & { cloud: string }>())
  if (found === undefined || !seesCloud(ctx.actor, found.cloud)) throw noSuchFinding(id)
  const events = await query(EVENTS, [id], uncheckedRow<EventRow>())
  const { key, evidence } = findingWordsSchema.parse(found.body)
  return {
    ...trackedFinding(found, ctx.now()),
    cloud: found.cloud,
    key,
    evidence,
    events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
  }
}
