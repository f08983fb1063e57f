import 'server-only'
import { hostOfTask } from '@/lib/domain/plans/types'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import type { StepRow } from './change-rows'

/** A step as the API sends it, with its literal calls and their results. */
export const stepDto = ({ body, intent, revision: _, changedAt, ...row }: StepRow): ChangeStep => {
  const { task, calls, ...texts } = body
  return {
    ...texts,
    ...row,
    host: task.kind === 'unreadable' ? null : hostOfTask(task),
    calls: [...calls],
    hasEffect: intent !== null,
    changedAt: changedAt?.toISOString() ?? null,
  }
}
