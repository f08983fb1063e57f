import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ChangeList } from '@/lib/schemas/api/change'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { CHANGE_COLUMNS, type ChangeRow } from './change-rows'

const MOST_LISTED = 300

/** Of the step in hand, as lib/domain/plans/step-in-hand has it. */
const TROUBLE = `
(SELECT note FROM change_step WHERE change_id = ch.id AND state IN ('blocked', 'waiting', 'failed')
  AND (is_undo OR ch.state <> 'undoing')
  ORDER BY CASE WHEN ch.state = 'undoing' THEN -position ELSE position END LIMIT 1)`

const LIST = `
SELECT ${CHANGE_COLUMNS}, CASE WHEN jsonb_typeof(ch.preview->'targets') = 'array' THEN jsonb_array_length(ch.preview->'targets') END AS "pgpuCount",
  s.steps AS "stepCount", s.ended AS "endedSteps",
  CASE WHEN ch.state IN ('running', 'stopped', 'undoing') THEN coalesce(${TROUBLE}, ch.stop_reason) END AS trouble
FROM change ch JOIN cloud c ON c.id = ch.cloud_id
JOIN LATERAL (
  SELECT count(*)::int AS steps, (count(*) FILTER (WHERE state IN ('done', 'skipped')))::int AS ended
  FROM change_step WHERE change_id = ch.id
) s ON true
WHERE ch.cloud_id = $1
ORDER BY ch.state IN ('running', 'stopped', 'undoing') DESC, ch.state = 'planned' DESC, ch.id DESC LIMIT $2`

type Row = Omit<ChangeRow, 'preview'> &
  Pick<ChangeList['changes'][number], 'pgpuCount' | 'stepCount' | 'endedSteps' | 'trouble'>

const itemOf = (row: Row): ChangeList['changes'][number] => ({
  id: row.id,
  cloud: row.cloud,
  kind: row.kind,
  title: row.title,
  state: row.state,
  isByHand: row.isByHand,
  madeBy: row.madeBy,
  madeAt: row.madeAt.toISOString(),
  runBy: row.runBy,
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  stopReason: row.stopReason,
  stepCount: row.stepCount,
  endedSteps: row.endedSteps,
  pgpuCount: row.pgpuCount,
  trouble: row.trouble,
})

/** Changes of a cloud: those that hold pGPUs first, then plans, then what is over, the newest first. */
export const listChanges = async (ctx: ServiceContext, input: CloudScope): Promise<ChangeList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.query(LIST, [cloud.id, MOST_LISTED + 1], uncheckedRow<Row>())
  const listed = rows.slice(0, MOST_LISTED)
  return { cloud: cloud.name, isCut: rows.length > listed.length, changes: listed.map(itemOf) }
}
