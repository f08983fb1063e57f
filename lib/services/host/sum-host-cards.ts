import { emptyTally } from '@/lib/domain/fleet/totals'
import type { HostSummary } from '@/lib/schemas/api/host'
import {
  CARD_WIDTH,
  cardOffset,
  type FleetDictionaries,
  type HostBlock,
  UNKNOWN,
} from '@/lib/services/fleet/card-table'
import { type SummedFleet, tallyCards, totalsOf } from '@/lib/services/fleet/tally-cards'
import { compareTexts } from '@/lib/util/compare-texts'

type CardSums = Pick<
  HostSummary,
  | 'gpuCount'
  | 'models'
  | 'capacity'
  | 'used'
  | 'spare'
  | 'free'
  | 'blocked'
  | 'unknown'
  | 'unknownReason'
  | 'passthrough'
  | 'wholeCards'
>

const modelsOf = (cards: Int32Array, { models }: FleetDictionaries): string[] => {
  const found = new Set<string>()
  for (let at = cardOffset('modelIndex'); at < cards.length; at += CARD_WIDTH) {
    found.add(models.valueAt(cards[at] ?? UNKNOWN))
  }
  return [...found].sort(compareTexts)
}

/** A host whose pGPUs did not change keeps its cards as one object, even if the fleet changes. */
const summed = new WeakMap<Int32Array, { isCloudRead: boolean; sums: CardSums }>()

/** The numbers of one host's pGPUs in the list of hosts. */
export const sumHostCards = (host: HostBlock, { fleet, silentHosts }: SummedFleet): CardSums => {
  const known = summed.get(host.cards)
  if (known?.isCloudRead === fleet.isCloudRead) return known.sums
  const tally = emptyTally()
  tallyCards({ fleet, silentHosts }, [host], () => tally)
  const { totals, passthrough } = totalsOf({ fleet, silentHosts }, tally)
  const { capacity, used, spare, free, blocked, unknown, unknownReason } = totals
  const sums: CardSums = {
    gpuCount: host.cards.length / CARD_WIDTH,
    models: modelsOf(host.cards, fleet.dictionaries),
    ...{ capacity, used, spare, free, blocked, unknown, unknownReason },
    passthrough: {
      capacity: passthrough.capacity,
      used: passthrough.used,
      free: passthrough.free,
      blocked: passthrough.blocked,
      unknown: passthrough.unknown,
    },
    wholeCards: passthrough.capacity ?? 0,
  }
  summed.set(host.cards, { isCloudRead: fleet.isCloudRead, sums })
  return sums
}
