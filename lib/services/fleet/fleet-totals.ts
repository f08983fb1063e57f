import 'server-only'
import { emptyTally } from '@/lib/domain/fleet/totals'
import type { UnitTotals } from '@/lib/schemas/api/totals'
import type { Fleet } from './fleet-snapshot'
import type { FleetView } from './fleet-view'
import { tallyCards, totalsOf } from './tally-cards'

const cache = new WeakMap<Fleet, { asOf: string; totals: UnitTotals }>()

/** Both totals of a whole fleet, made once per position. */
export const fleetTotalsOf = (view: FleetView): UnitTotals => {
  const { fleet, asOf } = view
  const known = cache.get(fleet)
  if (known?.asOf === asOf) return known.totals
  const tally = emptyTally()
  tallyCards(view, fleet.hosts, () => tally)
  const totals = totalsOf(view, tally)
  cache.set(fleet, { asOf, totals })
  return totals
}
