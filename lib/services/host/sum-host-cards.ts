import type { HostSummary } from '@/lib/schemas/api/host'
import {
  CARD_WIDTH,
  type CardColumn,
  cardPlace,
  compareTexts,
  type FleetDictionaries,
  UNKNOWN,
} from '@/lib/services/fleet/card-table'

type CardSums = Pick<HostSummary, 'gpuCount' | 'models' | 'capacity' | 'used' | 'wholeCards'>

/** Sum of what is known; null when it is known of no card. */
const sumOf = (cards: Int32Array, column: CardColumn): number | null => {
  let sum: number | null = null
  for (let at = cardPlace(column); at < cards.length; at += CARD_WIDTH) {
    const value = cards[at] ?? UNKNOWN
    if (value !== UNKNOWN) sum = (sum ?? 0) + value
  }
  return sum
}

const wholeCardsOf = (cards: Int32Array, { frameworks }: FleetDictionaries): number => {
  let count = 0
  for (let at = 0; at < cards.length; at += CARD_WIDTH) {
    const framework = frameworks.valueAt(cards[at + cardPlace('frameworkIndex')] ?? UNKNOWN)
    const capacity = cards[at + cardPlace('capacity')] ?? UNKNOWN
    if (framework === 'passthrough' && capacity !== UNKNOWN) count += capacity
  }
  return count
}

const modelsOf = (cards: Int32Array, { models }: FleetDictionaries): string[] => {
  const found = new Set<string>()
  for (let at = cardPlace('modelIndex'); at < cards.length; at += CARD_WIDTH) {
    found.add(models.valueAt(cards[at] ?? UNKNOWN))
  }
  return [...found].sort(compareTexts)
}

/** A host whose pGPUs did not change keeps its cards as one object, whatever becomes of the fleet. */
const summed = new WeakMap<Int32Array, CardSums>()

/** What a list of hosts tells of one host's pGPUs. */
export const sumHostCards = (cards: Int32Array, dictionaries: FleetDictionaries): CardSums => {
  const known = summed.get(cards)
  if (known !== undefined) return known
  const sums = {
    gpuCount: cards.length / CARD_WIDTH,
    models: modelsOf(cards, dictionaries),
    capacity: sumOf(cards, 'capacity'),
    used: sumOf(cards, 'used'),
    wholeCards: wholeCardsOf(cards, dictionaries),
  }
  summed.set(cards, sums)
  return sums
}
