import type { Plan } from '@/lib/domain/plans/types'

const SECOND_MS = 1000

/** `count` moments after `from`, evenly, the last one at `until`. */
const between = (count: number, from: number, until: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.round(from + ((until - from) * (index + 1)) / count))

/** When each step of a change without waiting was done: every few seconds from `startedAt` on. */
export const quickTimes = ({ steps }: Plan, startedAt: number): number[] =>
  steps.map((_, index) => startedAt + (3 + 4 * index) * SECOND_MS)

/** The same up to a moment at which the last one was done. */
export const timesUntil = ({ steps }: Plan, startedAt: number, until: number): number[] =>
  between(steps.length, startedAt, until)

/**
 * When each step of a change of the vGPU type was done: the servers have left at `drainedAt`, and the host's report of the new
 * type is from `retypedAt`.
 */
export const retypeTimes = (
  { steps }: Plan,
  { startedAt, drainedAt, retypedAt }: { startedAt: number; drainedAt: number; retypedAt: number },
): number[] => {
  const emptied = steps.findIndex(({ task }) => task.kind === 'await-empty') + 1
  const verified = steps.findIndex(({ task }) => task.kind === 'verify-pgpu')
  return [
    ...between(emptied, startedAt, drainedAt + 15 * SECOND_MS),
    ...between(verified - emptied, drainedAt + 30 * SECOND_MS, retypedAt),
    ...between(steps.length - verified, retypedAt + 10 * SECOND_MS, retypedAt + 70 * SECOND_MS),
  ]
}
