import 'server-only'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { emptyTally, type FleetTally } from '@/lib/domain/fleet/totals'
import { passthroughKey } from '@/lib/domain/history/groups'
import type { CapacityBy } from '@/lib/schemas/api/capacity'
import type { UnitTotals } from '@/lib/schemas/api/totals'
import { cardOffset, UNKNOWN } from '@/lib/services/fleet/card-table'
import { fleetTotalsOf } from '@/lib/services/fleet/fleet-totals'
import type { FleetView } from '@/lib/services/fleet/fleet-view'
import { type BlockCard, tallyCards, totalsOf } from '@/lib/services/fleet/tally-cards'

const ADDRESS = cardOffset('addressIndex')
const MODEL = cardOffset('modelIndex')
const FRAMEWORK = cardOffset('frameworkIndex')
const TYPE = cardOffset('typeIndex')
const AGGREGATES = cardOffset('aggregateSetIndex')

type Grouped = Extract<CapacityBy, 'type' | 'model' | 'aggregate' | 'host' | 'pgpu'>

/** The keys under which the history has a pGPU, as `createFleetGroups` names them. */
const keysOf = ({ fleet }: FleetView, by: Grouped | 'all'): ((at: BlockCard) => readonly string[]) => {
  const { addresses, models, frameworks, types, aggregateSets } = fleet.dictionaries
  const isPassthrough = (cards: Int32Array, card: number): boolean =>
    frameworks.valueAt(cards[card + FRAMEWORK] ?? 0) === 'passthrough'
  switch (by) {
    case 'all':
      return () => ['']
    case 'type':
      return ({ host: { cards }, card }) => {
        const type = cards[card + TYPE] ?? UNKNOWN
        if (type !== UNKNOWN) return [types.valueAt(type).typeId]
        return [noTypeLabel(frameworks.valueAt(cards[card + FRAMEWORK] ?? 0))]
      }
    case 'model':
      return ({ host: { cards }, card }) => {
        const model = cards[card + MODEL] ?? UNKNOWN
        const name = model === UNKNOWN ? '' : models.valueAt(model)
        return [isPassthrough(cards, card) ? passthroughKey(name) : name]
      }
    case 'aggregate':
      return ({ host: { cards }, card }) => {
        const set = cards[card + AGGREGATES] ?? UNKNOWN
        const names = set === UNKNOWN ? [] : [...new Set(aggregateSets.valueAt(set))]
        return isPassthrough(cards, card) ? names.map(passthroughKey) : names
      }
    case 'host':
      return ({ host }) => [host.name]
    case 'pgpu':
      return ({ host: { cards }, card }) => [addresses.valueAt(cards[card + ADDRESS] ?? 0)]
  }
}

/**
 * The totals of the current position by group, under the keys that the history has; `host`: of that host alone. Null: what flavors
 * and projects hold is not a number of pGPUs.
 */
export const currentTotals = (
  view: FleetView,
  { by, host, address }: { by: CapacityBy; host: string | null; address: string | null },
): ReadonlyMap<string, UnitTotals> | null => {
  if (by === 'flavor' || by === 'project') return null
  if (by === 'all' && host === null) return new Map([['', fleetTotalsOf(view)]])
  const hosts = host === null ? view.fleet.hosts : view.fleet.hosts.filter(({ name }) => name === host)
  const isOfHost = host !== null && by !== 'pgpu' && address === null
  const keys = keysOf(view, host === null ? by : isOfHost ? 'host' : 'pgpu')
  const tallies = new Map<string, FleetTally>()
  tallyCards(view, hosts, (at) =>
    keys(at).map((key) => {
      const tally = tallies.get(key) ?? emptyTally()
      tallies.set(key, tally)
      return tally
    }),
  )
  return new Map([...tallies].map(([key, tally]) => [key, totalsOf(view, tally)]))
}
