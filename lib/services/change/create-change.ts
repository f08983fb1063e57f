import 'server-only'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { getChange } from './get-change'
import { planChange } from './plan-change'
import { refuseEmpty, saveChange } from './save-change'

/** Saves a plan for review. Nothing is written in the cloud, and no pGPU is held yet. */
export const createChange = async (ctx: ServiceContext, body: PlanChange): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.plan')
  const input = parseInput(planChangeSchema, body)
  const { cloud, plan } = await planChange(ctx, input)
  refuseEmpty(plan)
  const id = await ctx.database.transaction((query) => saveChange(ctx, query, { cloud, input, plan }))
  return getChange(ctx, { id })
}
