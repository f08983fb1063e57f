import type { FitGroup, HostFitDto } from '@/lib/schemas/api/fit'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'

type Judged = { state: HostFitDto['state']; reasons: readonly HostFitDto['reasons'][number][] }

/** Hosts that fit are one group, the others are grouped by their main reason. */
const groupOf = ({ state, reasons }: Judged): FitGroup =>
  state === 'fits' ? 'fits' : (reasons[0]?.kind ?? 'unknown')

/** Groups with their counts, those that fit first, then the largest. */
export const countGroups = (hosts: readonly Judged[]): { group: FitGroup; count: number }[] => {
  const counts = new Map<FitGroup, number>()
  for (const host of hosts) counts.set(groupOf(host), (counts.get(groupOf(host)) ?? 0) + 1)
  return [...counts]
    .map(([group, count]) => ({ group, count }))
    .toSorted((a, b) => Number(b.group === 'fits') - Number(a.group === 'fits') || b.count - a.count)
}

/** The hosts of a group that contain every word of `q` in their text. */
export const arrangeFits = <Host extends Judged>(
  hosts: readonly Host[],
  { q, group, textOf }: { q: string; group: FitGroup | null; textOf: (host: Host) => string },
): Host[] => {
  const words = searchTerms(q)
  return hosts.filter((host) => {
    if (group !== null && groupOf(host) !== group) return false
    return hasTerms(textOf(host), words)
  })
}
