import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { toStored } from '@/lib/domain/plans/stored-plan'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { getChange } from './get-change'
import { planChange, previewOf } from './plan-change'
import { refuseEmpty, saveChange } from './save-change'

/** The same plan, which the same person saved a moment ago: the second click of a double click. */
const FIND_REPEATED = `
SELECT id FROM change
WHERE cloud_id = $1 AND made_by = $2 AND input = $3::jsonb AND preview = $5::jsonb AND state = 'planned' AND made_at > $4::timestamptz - interval '10 seconds'
ORDER BY id DESC LIMIT 1`

// One plan of a person at a time, so that two requests at once do not both save it.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('create-change ' || $1))`

const saveOnce = async (
  ctx: ServiceContext,
  query: Query,
  { cloud, input, plan }: Parameters<typeof saveChange>[2],
): Promise<number> => {
  const by = describeActor(ctx.actor)
  await query(LOCK, [by])
  const [saved] = await query(
    FIND_REPEATED,
    [cloud.id, by, JSON.stringify(toStored(input)), ctx.now(), JSON.stringify(toStored(previewOf(plan)))],
    uncheckedRow<{ id: number }>(),
  )
  return saved?.id ?? saveChange(ctx, query, { cloud, input, plan })
}

/** Saves a plan for review. Nothing is written in the cloud, and no pGPU is held yet. */
export const createChange = async (ctx: ServiceContext, body: PlanChange): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.plan')
  const input = parseInput(planChangeSchema, body)
  const { cloud, plan } = await planChange(ctx, input)
  refuseEmpty(plan)
  const id = await ctx.database.transaction(({ query }) => saveOnce(ctx, query, { cloud, input, plan }))
  return getChange(ctx, { id })
}
