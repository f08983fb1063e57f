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

const previewed = ({ task, calls, ...step }: PlannedStep, position: number): PreviewedStep => ({
  ...step,
  position,
  calls: [...calls],
  host: hostOfTask(task),
})

/** Computes what a change would do, step by step. Everyone who may see the fleet may preview; nothing is written. */
export const previewChange = async (ctx: ServiceContext, input: PlanChange): Promise<ChangePlan> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, plan } = await planChange(ctx, parseInput(planChangeSchema, input))
  refuseMalformed(plan)
  return {
    cloud: cloud.name,
    title: plan.title,
    preview: previewExcerpt(previewOf(plan)),
    stepCount: plan.steps.length,
    hosts: summarizeHosts(
      plan.steps.map(({ id, task }) => ({
        host: hostOfTask(task),
        id,
        state: 'pending',
        steps: 1,
        changedAt: null,
      })),
    ),
    tasks: countTasks(plan.steps.map(({ task, doer }) => ({ kind: task.kind, doer }))),
    steps: firstSteps(planExcerpt(plan.steps.map(previewed), MAX_ANSWERED_STEPS), MAX_ANSWERED_CHARACTERS),
  }
}
