import type { FlavorSummary } from '@/lib/schemas/api/flavor'
import { naturalOrder } from '@/lib/util/natural-order'

export const FLAVOR_SORTS = ['name', 'fits', 'at-once', 'hosts', 'findings'] as const
export type FlavorSort = (typeof FLAVOR_SORTS)[number]

export const FLAVOR_STATES = ['full', 'findings'] as const
type FlavorState = (typeof FLAVOR_STATES)[number]

const isUnknown = ({ fits, unknownHosts }: FlavorSummary): boolean => fits === 0 && unknownHosts > 0

/** What is not known stands after what is. */
const known = (flavor: FlavorSummary, value: number): number => (isUnknown(flavor) ? -1 : value)

const orders: Record<FlavorSort, (a: FlavorSummary, b: FlavorSummary) => number> = {
  name: (a, b) => naturalOrder(a.name, b.name),
  fits: (a, b) => known(b, b.fits) - known(a, a.fits),
  'at-once': (a, b) => known(b, b.atOnce) - known(a, a.atOnce),
  hosts: (a, b) => known(b, b.fittingHosts) - known(a, a.fittingHosts),
  findings: (a, b) => b.findings.length - a.findings.length,
}

/** Whether no server of a flavor fits, for certain. */
export const isFull = (flavor: FlavorSummary): boolean => flavor.fits === 0 && flavor.unknownHosts === 0

const isIn = (flavor: FlavorSummary, state: FlavorState | null): boolean =>
  state === null || (state === 'full' ? isFull(flavor) : flavor.findings.length > 0)

/** The flavors that hold every word of `q` and are in `state`, sorted; equals stand in the order of their names. */
export const arrangeFlavors = (
  flavors: readonly FlavorSummary[],
  { q, state, sort, desc }: { q: string; state: FlavorState | null; sort: FlavorSort; desc: boolean },
): FlavorSummary[] => {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const shown = flavors.filter((flavor) => {
    const text = `${flavor.name} ${flavor.asks} ${flavor.id}`.toLowerCase()
    return isIn(flavor, state) && words.every((word) => text.includes(word))
  })
  const direction = desc ? -1 : 1
  return shown.toSorted((a, b) => direction * orders[sort](a, b) || orders.name(a, b))
}
