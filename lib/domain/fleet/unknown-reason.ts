import { listText } from '@/lib/domain/wording'

/**
 * Why the numbers of some pGPUs are unknown, the most frequent reason first: `on silent hosts`, or with several reasons
 * `24 on silent hosts and 2: the guests could not be read`. Null when none is unknown.
 */
export const unknownReason = ({
  silent,
  told,
}: {
  /** pGPUs on silent hosts. */
  silent: number
  /** pGPUs by what their hosts say. */
  told: ReadonlyMap<string, number>
}): string | null => {
  const reasons = [...told].filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1])
  const [first] = reasons
  if (silent === 0) {
    if (first === undefined) return null
    if (reasons.length === 1) return first[0]
  }
  if (first === undefined) return silent === 1 ? 'on a silent host' : 'on silent hosts'
  const parts = reasons.map(([reason, count]): [string, number] => [`${count}: ${reason}`, count])
  if (silent > 0) parts.push([`${silent} on ${silent === 1 ? 'a silent host' : 'silent hosts'}`, silent])
  return listText(
    parts.toSorted((a, b) => b[1] - a[1]).map(([text]) => text),
    2,
  )
}
