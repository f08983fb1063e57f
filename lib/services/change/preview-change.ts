import 'server-only'
import { firstSteps } from '@/lib/domain/plans/first-steps'
import { planExcerpt } from '@/lib/domain/plans/plan-excerpt'
import { previewExcerpt } from '@/lib/domain/plans/preview-excerpt'
import { countTasks, summarizeHosts } from '@/lib/domain/plans/summarize-steps'
import { hostOfTask, type PlannedStep } from '@/lib/domain/plans/types'
import type { ChangePlan } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { MAX_ANSWERED_CHARACTERS, MAX_ANSWERED_STEPS } from '@/lib/schemas/api/change-steps'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { planChange, previewOf } from './plan-change'
import { refuseMalformed } from './save-change'

type PreviewedStep = ChangePlan['steps'][number]

type Placed = Pick<PreviewedStep, 'host' | 'position'> & { step: PlannedStep }

const previewed = ({ step: { task: _, calls, ...step }, ...placed }: Placed): PreviewedStep => ({
  ...step,
  ...placed,
  calls: [...calls],
})

/** Computes what a change would do, step by step. Everyone who may see the fleet may preview; nothing is written. */
export const previewChange = async (ctx: ServiceContext, input: PlanChange): Promise<ChangePlan> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, plan } = await planChange(ctx, parseInput(planChangeSchema, input))
  await refuseMalformed(plan, ctx.signal)
  const steps: readonly PlannedStep[] = plan.steps
  const placed = steps.map((step, position): Placed => ({ step, position, host: hostOfTask(step.task) }))
  return {
    cloud: cloud.name,
    title: plan.title,
    preview: previewExcerpt(previewOf(plan)),
    stepCount: plan.steps.length,
    hosts: summarizeHosts(
      placed.map(({ host, step: { id } }) => ({
        host,
        id,
        state: 'pending',
        steps: 1,
        changedAt: null,
      })),
    ),
    tasks: countTasks(plan.steps.map(({ task, doer }) => ({ kind: task.kind, doer }))),
    steps: firstSteps(planExcerpt(placed, MAX_ANSWERED_STEPS).map(previewed), MAX_ANSWERED_CHARACTERS),
  }
}
