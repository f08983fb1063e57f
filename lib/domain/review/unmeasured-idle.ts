import type { UnmeasuredReason } from '../utilization/judge-idle'

export type UnmeasuredCount = { reason: UnmeasuredReason; vgpus: number }

const LABELS: Readonly<Record<UnmeasuredReason, string>> = {
  'not-measured': 'not measured',
  'not-lately': 'not measured at the end',
  gaps: 'measured less than half of the time',
  'too-short': 'not measured for so long yet',
}
const REASONS: readonly UnmeasuredReason[] = ['not-measured', 'not-lately', 'gaps', 'too-short']

/** How many vGPUs cannot be judged for each reason, the most first. */
export const countUnmeasured = (unmeasured: readonly { reason: UnmeasuredReason }[]): UnmeasuredCount[] =>
  REASONS.map((reason) => ({ reason, vgpus: unmeasured.filter((one) => one.reason === reason).length }))
    .filter(({ vgpus }) => vgpus > 0)
    .toSorted((a, b) => b.vgpus - a.vgpus)

/**
 * `3 not measured, 1 measured less than half of the time`; a single reason has no number, because the number precedes it.
 */
export const whyUnmeasuredText = (unmeasured: readonly UnmeasuredCount[]): string => {
  const [first, ...others] = unmeasured
  return first !== undefined && others.length === 0 ? LABELS[first.reason] : unmeasuredText(unmeasured)
}

/** The same with the number of each reason. */
export const unmeasuredText = (unmeasured: readonly UnmeasuredCount[]): string =>
  unmeasured.map(({ reason, vgpus }) => `${vgpus} ${LABELS[reason]}`).join(', ')

/**
 * Why the number of idle vGPUs is unknown if none of the `held` ones can be judged. It names missing agents only if
 * `measuredPgpus` confirms it.
 */
export const whyNoneMeasured = ({
  held,
  unmeasured,
  measuredPgpus,
}: {
  held: number
  unmeasured: readonly UnmeasuredCount[]
  measuredPgpus: number
}): string => {
  const isNever = unmeasured.every(({ reason }) => reason === 'not-measured')
  if (isNever && measuredPgpus === 0) return 'no agent reported utilization'
  if (isNever) return `agents reported utilization of pGPUs and of none of the ${held} held vGPUs`
  return `none of the ${held} held vGPUs can be judged: ${unmeasuredText(unmeasured)}`
}
