import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { type AcknowledgeFinding, acknowledgeFindingSchema } from '@/lib/schemas/api/finding-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { getFinding } from './get-finding'
import { noSuchFinding } from './no-such-finding'

type Row = { key: string; cloud: string; closedAt: Date | null; until: Date | null; note: string | null }

const FIND = `
SELECT f.key, c.name AS cloud, f.closed_at AS "closedAt", f.acknowledged_until AS until, f.note
FROM finding f JOIN cloud c ON c.id = f.cloud_id WHERE f.id = $1 FOR NO KEY UPDATE OF f`

const SET = `
UPDATE finding SET acknowledged_by = $2, acknowledged_at = $3, acknowledged_until = $4, note = $5 WHERE id = $1`

const TELL = `INSERT INTO finding_event (finding_id, at, kind, actor, note) VALUES ($1, $2, $3, $4, $5)`

const findOpen = async (ctx: ServiceContext, query: Query, id: number): Promise<Row> => {
  const [found] = await query(FIND, [id], uncheckedRow<Row>())
  if (found === undefined || !seesCloud(ctx.actor, found.cloud)) throw noSuchFinding(id)
  if (found.closedAt !== null)
    throw new ServiceError(
      'conflict',
      `Finding ${id} was closed at ${found.closedAt.toISOString()}: the trouble is gone, so there is nothing to acknowledge.`,
    )
  return found
}

const auditOf = ({ until, note }: Pick<Row, 'until' | 'note'>) => ({
  until: until?.toISOString() ?? null,
  note,
})

/** Says that somebody knows, why it may stay, and until when. Saying it again replaces note and date. */
export const acknowledgeFinding = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: AcknowledgeFinding },
): Promise<FindingDetail> => {
  requirePermission(ctx, 'finding.acknowledge')
  const { note, days } = parseInput(acknowledgeFindingSchema, body)
  const at = ctx.now()
  const until = new Date(at.getTime() + days * 86_400_000)
  const by = describeActor(ctx.actor)
  await ctx.database.transaction(async ({ query }) => {
    const before = await findOpen(ctx, query, id)
    await query(SET, [id, by, at, until, note])
    await query(TELL, [id, at, 'acknowledged', by, note])
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'finding.acknowledge',
      subject: `finding:${before.key}`,
      before: { cloud: before.cloud, ...auditOf(before) },
      after: auditOf({ until, note }),
    })
  })
  return getFinding(ctx, { id })
}

/** Takes the acknowledgement back: the finding counts as open again. Doing it twice changes nothing. */
export const endAcknowledgement = async (
  ctx: ServiceContext,
  { id }: { id: number },
): Promise<FindingDetail> => {
  requirePermission(ctx, 'finding.acknowledge')
  const at = ctx.now()
  await ctx.database.transaction(async ({ query }) => {
    const before = await findOpen(ctx, query, id)
    if (before.until === null) return
    await query(SET, [id, null, null, null, null])
    await query(TELL, [id, at, 'acknowledgement-ended', describeActor(ctx.actor), null])
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'finding.end-acknowledgement',
      subject: `finding:${before.key}`,
      before: { cloud: before.cloud, ...auditOf(before) },
      after: auditOf({ until: null, note: null }),
    })
  })
  return getFinding(ctx, { id })
}
