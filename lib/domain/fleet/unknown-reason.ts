import { listText } from '@/lib/domain/wording'

/** A reason why numbers are unknown, with the count of the pGPUs that it concerns. */
export type UnknownBy = { reason: string; pgpus: number }

/** The reasons why numbers of some pGPUs are unknown, the most frequent first. `reported`: pGPUs by reason. */
export const unknownBy = (reported: ReadonlyMap<string, number>): UnknownBy[] =>
  [...reported]
    .filter(([, pgpus]) => pgpus > 0)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([reason, pgpus]) => ({ reason, pgpus }))

/**
 * The same in one text: `no driver`, or with several reasons `no driver (24 pGPUs) and the guests could not be read (2 pGPUs)`.
 * Null when none is unknown.
 */
export const unknownReason = (reasons: readonly UnknownBy[]): string | null => {
  const [first] = reasons
  if (first === undefined) return null
  if (reasons.length === 1) return first.reason
  return listText(
    reasons.map(({ reason, pgpus }) => `${reason} (${pgpus} ${pgpus === 1 ? 'pGPU' : 'pGPUs'})`),
    2,
  )
}
