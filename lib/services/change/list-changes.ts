import 'server-only'
import * as z from 'zod'
import { type ChangeList, changeStateSchema } from '@/lib/schemas/api/change-list'
import { type ChangeScope, changeScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { pgArray } from '@/lib/server/database/pg-array'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { pageOf } from '@/lib/util/page-of'

/** The note of the current step, by the rule of lib/domain/plans/step-in-hand. */
const TROUBLE = `
(SELECT note FROM change_step WHERE change_id = ch.id AND state IN ('blocked', 'waiting', 'failed')
  AND (is_undo OR ch.state <> 'undoing')
  ORDER BY CASE WHEN ch.state = 'undoing' THEN -position ELSE position END LIMIT 1)`

// SQL: an order by state.
const IDS = `
SELECT id FROM change ch WHERE cloud_id = $1
ORDER BY ch.state IN ('running', 'stopped', 'undoing') DESC, ch.state = 'planned' DESC, ch.id DESC`

// SQL: counts of steps and of stored pGPUs of a whole page, without loading plans.
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
WHERE ch.cloud_id = $1 AND ch.id = ANY($2::int[])`

const idRow = z.object({ id: z.int() })

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

/** A page of a cloud's changes: those that hold pGPUs first, then plans, then what is over, the newest first. */
export const listChanges = async (ctx: ServiceContext, input: ChangeScope): Promise<ChangeList> => {
  requirePermission(ctx, 'fleet.read')
  const { limit, cursor, ...scope } = parseInput(changeScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const { query } = ctx.database
  const ids = await query(IDS, [cloud.id], idRow)
  const page = pageOf(ids, { limit, cursor, keyOf: ({ id }) => id })
  const listed = page.rows.map(({ id }) => id)
  const rows = await query(LIST, [cloud.id, pgArray(listed)], changeListRow)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const changes = listed
    .flatMap((id) => byId.get(id) ?? [])
    .map(({ madeAt, startedAt, endedAt, ...row }) => ({
      ...row,
      cloud: cloud.name,
      madeAt: madeAt.toISOString(),
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt?.toISOString() ?? null,
    }))
  return { cloud: cloud.name, isCut: page.next !== null, total: page.total, next: page.next, changes }
}
