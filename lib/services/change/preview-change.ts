import 'server-only'
import type { ChangePlan } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { planChange, previewOf } from './plan-change'
import { refuseMalformed } from './save-change'

/** What a change would do, step by step. Whoever sees the fleet may look; nothing is written. */
export const previewChange = async (ctx: ServiceContext, input: PlanChange): Promise<ChangePlan> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, plan } = await planChange(ctx, parseInput(planChangeSchema, input))
  refuseMalformed(plan)
  return {
    cloud: cloud.name,
    title: plan.title,
    preview: previewOf(plan),
    steps: plan.steps.map(({ task: _, calls, ...step }) => ({ ...step, calls: [...calls] })),
  }
}
