import type { FlavorSort, FlavorState, FlavorSummary } from '@/lib/schemas/api/flavor'
import { naturalOrder } from '@/lib/util/natural-order'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'

/** What a flavor is found and sorted by. */
type Row = Pick<
  FlavorSummary,
  'id' | 'name' | 'asks' | 'fits' | 'atOnce' | 'fittingHosts' | 'unknownHosts' | 'findings'
>

const isUnknown = ({ fits, unknownHosts }: Row): boolean => fits === 0 && unknownHosts > 0

/** Unknown values come after known ones. */
const known = (flavor: Row, value: number): number => (isUnknown(flavor) ? -1 : value)

const orders: Record<FlavorSort, (a: Row, b: Row) => number> = {
  name: (a, b) => naturalOrder(a.name, b.name),
  fits: (a, b) => known(b, b.fits) - known(a, a.fits),
  'at-once': (a, b) => known(b, b.atOnce) - known(a, a.atOnce),
  hosts: (a, b) => known(b, b.fittingHosts) - known(a, a.fittingHosts),
  findings: (a, b) => b.findings.length - a.findings.length,
}

/** Whether no server of a flavor fits, for certain. */
export const isFull = (flavor: Pick<Row, 'fits' | 'unknownHosts'>): boolean =>
  flavor.fits === 0 && flavor.unknownHosts === 0

const isIn = (flavor: Row, state: FlavorState | null): boolean =>
  state === null || (state === 'full' ? isFull(flavor) : flavor.findings.length > 0)

export type FlavorFilter = { q: string; state: FlavorState | null; sort: FlavorSort; desc: boolean }

/** The flavors that contain every word of `q` and are in `state`, sorted; equals by name. */
export const arrangeFlavors = <Flavor extends Row>(
  flavors: readonly Flavor[],
  { q, state, sort, desc }: FlavorFilter,
): Flavor[] => {
  const words = searchTerms(q)
  const shown = flavors.filter((flavor) => {
    return isIn(flavor, state) && hasTerms(`${flavor.name} ${flavor.asks} ${flavor.id}`, words)
  })
  const direction = desc ? -1 : 1
  return shown.toSorted((a, b) => direction * orders[sort](a, b) || orders.name(a, b))
}
