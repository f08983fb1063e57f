import 'server-only'
import * as z from 'zod'
import { type ChangeList, changeStateSchema } from '@/lib/schemas/api/change'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'

const MAX_LISTED = 300

/** Of the step in hand, as lib/domain/plans/step-in-hand has it. */
const TROUBLE = `
(SELECT note FROM change_step WHERE change_id = ch.id AND state IN ('blocked', 'waiting', 'failed')
  AND (is_undo OR ch.state <> 'undoing')
  ORDER BY CASE WHEN ch.state = 'undoing' THEN -position ELSE position END LIMIT 1)`

// SQL: counts of steps and of stored pGPUs of the whole list, without loading plans.
const LIST = `
SELECT ch.id, ch.kind, ch.title, ch.state, ch.is_by_hand AS "isByHand", ch.made_by AS "madeBy", ch.made_at AS "madeAt",
  ch.run_by AS "runBy", ch.started_at AS "startedAt", ch.ended_at AS "endedAt", ch.stop_reason AS "stopReason",
  CASE WHEN jsonb_typeof(ch.preview->'targets') = 'array' THEN jsonb_array_length(ch.preview->'targets') END AS "pgpuCount",
  s.steps AS "stepCount", s.ended AS "endedSteps",
  CASE WHEN ch.state IN ('running', 'stopped', 'undoing') THEN coalesce(${TROUBLE}, ch.stop_reason) END AS trouble
FROM change ch
JOIN LATERAL (
  SELECT count(*)::int AS steps, (count(*) FILTER (WHERE state IN ('done', 'skipped')))::int AS ended
  FROM change_step WHERE change_id = ch.id
) s ON true
WHERE ch.cloud_id = $1
ORDER BY ch.state IN ('running', 'stopped', 'undoing') DESC, ch.state = 'planned' DESC, ch.id DESC LIMIT $2`

const changeListRow = z.object({
  id: z.int(),
  kind: z.string(),
  title: z.string(),
  state: changeStateSchema,
  isByHand: z.boolean(),
  madeBy: z.string(),
  madeAt: z.date(),
  runBy: z.string().nullable(),
  startedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  stopReason: z.string().nullable(),
  pgpuCount: z.int().nullable(),
  stepCount: z.int(),
  endedSteps: z.int(),
  trouble: z.string().nullable(),
})

/** Changes of a cloud: those that hold pGPUs first, then plans, then what is over, the newest first. */
export const listChanges = async (ctx: ServiceContext, input: CloudScope): Promise<ChangeList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.query(LIST, [cloud.id, MAX_LISTED + 1], changeListRow)
  const changes = rows.slice(0, MAX_LISTED).map(({ madeAt, startedAt, endedAt, ...row }) => ({
    ...row,
    cloud: cloud.name,
    madeAt: madeAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }))
  return { cloud: cloud.name, isCut: rows.length > changes.length, changes }
}
