import type { HostSummary } from '@/lib/schemas/api/host'
import { naturalOrder } from '@/lib/util/natural-order'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'

export const HOST_LIST = {
  sorts: ['name', 'gpus', 'used', 'guests', 'problems', 'seen'],
  states: ['silent', 'problems'],
} as const
export type HostSort = (typeof HOST_LIST.sorts)[number]
type HostState = (typeof HOST_LIST.states)[number]

const number = (value: number | null): number => value ?? -1

const share = ({ used, capacity }: HostSummary): number =>
  used === null || capacity === null || capacity === 0 ? -1 : used / capacity

const orders: Record<HostSort, (a: HostSummary, b: HostSummary) => number> = {
  name: (a, b) => naturalOrder(a.name, b.name),
  gpus: (a, b) => b.gpuCount - a.gpuCount,
  used: (a, b) => share(b) - share(a),
  guests: (a, b) => number(b.guestCount) - number(a.guestCount),
  problems: (a, b) => b.problemCount - a.problemCount,
  // A host that never reported has been silent the longest.
  seen: (a, b) => (a.seenAt ?? '').localeCompare(b.seenAt ?? ''),
}

const isIn = (host: HostSummary, state: HostState | null): boolean =>
  state === null || (state === 'silent' ? host.isSilent : host.problemCount > 0)

const searchedText = (host: HostSummary): string =>
  [host.name, ...host.models, host.driverVersion, host.libvirtVersion, host.agentVersion, host.deployment]
    .filter((part) => part !== null)
    .join(' ')

/** The hosts that contain every word of `q` and are in `state`, sorted; equal ones are sorted by name. */
export const arrangeHosts = (
  hosts: readonly HostSummary[],
  { q, state, sort, desc }: { q: string; state: HostState | null; sort: HostSort; desc: boolean },
): HostSummary[] => {
  const words = searchTerms(q)
  const shown = hosts.filter((host) => {
    if (!isIn(host, state)) return false
    return words.length === 0 || hasTerms(searchedText(host), words)
  })
  const direction = desc ? -1 : 1
  return shown.toSorted((a, b) => direction * orders[sort](a, b) || orders.name(a, b))
}
