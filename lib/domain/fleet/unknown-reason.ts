import { listText } from '@/lib/domain/wording'

/**
 * Why numbers of some pGPUs are unknown, the most frequent reason first: `no driver`, or with several reasons
 * `24: no driver and 2: the guests could not be read`. Null when none is unknown. `reported`: pGPUs by reason.
 */
export const unknownReason = (reported: ReadonlyMap<string, number>): string | null => {
  const reasons = [...reported]
    .filter(([, count]) => count > 0)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const [first] = reasons
  if (first === undefined) return null
  if (reasons.length === 1) return first[0]
  return listText(
    reasons.map(([reason, count]) => `${count}: ${reason}`),
    2,
  )
}
