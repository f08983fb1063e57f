import 'server-only'
import type { Overview } from '@/lib/schemas/api/fleet'
import { CARD_WIDTH, cardOffset, type FleetDictionaries, UNKNOWN } from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'

/** Where a finding lies: a pGPU, or a host as a whole (`address` null). */
export type Location = { host: string; address: string | null }

/** An entry with the vGPUs and whole cards that its findings concern. */
export type WeighedAttention = { attention: Overview['attention'][number]; weight: number }

const ADDRESS = cardOffset('addressIndex')
const CAPACITY = cardOffset('capacity')

type Weights = { host: number; cards: ReadonlyMap<string, number> }

/** A card with an unknown number of vGPUs counts as one. */
const weightsOf = (cards: Int32Array, { addresses }: FleetDictionaries): Weights => {
  const byAddress = new Map<string, number>()
  let host = 0
  for (let card = 0; card < cards.length; card += CARD_WIDTH) {
    const capacity = cards[card + CAPACITY] ?? UNKNOWN
    const weight = capacity === UNKNOWN ? 1 : capacity
    byAddress.set(addresses.valueAt(cards[card + ADDRESS] ?? 0), weight)
    host += weight
  }
  return { host, cards: byAddress }
}

/** Counts the vGPUs and whole cards at some locations of a fleet, each once; a host counts with all of its cards. */
export const createScale = ({ hosts, dictionaries }: Pick<Fleet, 'hosts' | 'dictionaries'>) => {
  const blocks = new Map(hosts.map(({ name, cards }) => [name, cards]))
  const known = new Map<string, Weights>()
  const weightsAt = (host: string): Weights | null => {
    const cards = blocks.get(host)
    if (cards === undefined) return null
    const weights = known.get(host) ?? weightsOf(cards, dictionaries)
    known.set(host, weights)
    return weights
  }
  return (locations: readonly Location[]): number => {
    const whole = new Set(locations.filter(({ address }) => address === null).map(({ host }) => host))
    const single = new Map(
      locations
        .filter(({ host, address }) => address !== null && !whole.has(host))
        .map((location) => [`${location.host} ${location.address}`, location]),
    )
    const ofHosts = [...whole].reduce((sum, host) => sum + (weightsAt(host)?.host ?? 0), 0)
    return [...single.values()].reduce(
      (sum, { host, address }) => sum + (weightsAt(host)?.cards.get(address ?? '') ?? 0),
      ofHosts,
    )
  }
}
