import type { UntoldReason } from '../utilisation/judge-idle'

export type UntoldCount = { reason: UntoldReason; vgpus: number }

const WORDS: Readonly<Record<UntoldReason, string>> = {
  'not-measured': 'not measured',
  'not-lately': 'not measured at the end',
  gaps: 'measured less than half of the time',
  'too-short': 'not measured for so long yet',
}
const REASONS: readonly UntoldReason[] = ['not-measured', 'not-lately', 'gaps', 'too-short']

/** How many vGPUs cannot be judged for each reason, the most first. */
export const countUntold = (untold: readonly { reason: UntoldReason }[]): UntoldCount[] =>
  REASONS.map((reason) => ({ reason, vgpus: untold.filter((one) => one.reason === reason).length }))
    .filter(({ vgpus }) => vgpus > 0)
    .toSorted((a, b) => b.vgpus - a.vgpus)

/**
 * `3 not measured, 1 measured less than half of the time`; a single reason has no number, because the number precedes it.
 */
export const whyUntoldWords = (untold: readonly UntoldCount[]): string => {
  const [first, ...others] = untold
  return first !== undefined && others.length === 0 ? WORDS[first.reason] : untoldWords(untold)
}

/** The same with the number of each reason. */
export const untoldWords = (untold: readonly UntoldCount[]): string =>
  untold.map(({ reason, vgpus }) => `${vgpus} ${WORDS[reason]}`).join(', ')

/**
 * Why the number of idle vGPUs is unknown if none of the `held` ones can be judged. It names missing agents only if
 * `measuredPgpus` confirms it.
 */
export const whyNoneTold = ({
  held,
  untold,
  measuredPgpus,
}: {
  held: number
  untold: readonly UntoldCount[]
  measuredPgpus: number
}): string => {
  const isNever = untold.every(({ reason }) => reason === 'not-measured')
  if (isNever && measuredPgpus === 0) return 'no agent reported utilisation'
  if (isNever) return `agents reported utilisation of pGPUs and of none of the ${held} held vGPUs`
  return `nobody can tell of the ${held} held vGPUs: ${untoldWords(untold)}`
}
