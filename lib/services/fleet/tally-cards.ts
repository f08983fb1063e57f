import { describeTotals } from '@/lib/domain/fleet/describe-totals'
import { addPgpu, type FleetTally, type TalliedPgpu } from '@/lib/domain/fleet/totals'
import type { UnitTotals } from '@/lib/schemas/api/totals'
import { CARD_WIDTH, cardOffset, type HostBlock, UNKNOWN } from './card-table'
import type { FleetView } from './fleet-view'

const CAPACITY = cardOffset('capacity')
const USED = cardOffset('used')
const SPARE = cardOffset('spare')
const ORPHAN = cardOffset('orphan')
const RETURNING = cardOffset('returning')
const CREATABLE = cardOffset('creatable')
const STRANDED = cardOffset('stranded')
const REASON = cardOffset('reasonIndex')
const STRANDED_REASON = cardOffset('strandedReasonIndex')
const FRAMEWORK = cardOffset('frameworkIndex')

/** What the sums of a fleet depend on. */
export type SummedFleet = Pick<FleetView, 'fleet' | 'silentHosts'>

const known = (value: number | undefined): number | null =>
  value === undefined || value === UNKNOWN ? null : value

/** A card of a host's block, from its first integer on. */
export type BlockCard = { host: HostBlock; card: number }

/**
 * Adds every pGPU of the hosts to the tallies that `tallyOf` names. All sums on the server are made here. One pass over the
 * integers: 80,000 pGPUs take a few milliseconds.
 */
export const tallyCards = (
  { fleet, silentHosts }: SummedFleet,
  hosts: readonly HostBlock[],
  tallyOf: (at: BlockCard) => FleetTally | readonly FleetTally[],
): void => {
  const { frameworks } = fleet.dictionaries
  const isPassthrough = Array.from(
    { length: frameworks.size() },
    (_, index) => frameworks.valueAt(index) === 'passthrough',
  )
  const pgpu: TalliedPgpu = {
    capacity: null,
    used: null,
    spare: null,
    orphan: null,
    returning: null,
    creatable: null,
    stranded: null,
    isPassthrough: false,
    isCloudRead: fleet.isCloudRead,
    silentHost: null,
    reasonIndex: UNKNOWN,
    strandedReasonIndex: UNKNOWN,
  }
  for (const host of hosts) {
    const { id, cards } = host
    pgpu.silentHost = silentHosts.has(id) ? id : null
    for (let card = 0; card < cards.length; card += CARD_WIDTH) {
      pgpu.capacity = known(cards[card + CAPACITY])
      pgpu.used = known(cards[card + USED])
      pgpu.spare = known(cards[card + SPARE])
      pgpu.orphan = known(cards[card + ORPHAN])
      pgpu.returning = known(cards[card + RETURNING])
      pgpu.creatable = known(cards[card + CREATABLE])
      pgpu.stranded = known(cards[card + STRANDED])
      pgpu.reasonIndex = cards[card + REASON] ?? UNKNOWN
      pgpu.strandedReasonIndex = cards[card + STRANDED_REASON] ?? UNKNOWN
      pgpu.isPassthrough = isPassthrough[cards[card + FRAMEWORK] ?? UNKNOWN] ?? false
      const tallies = tallyOf({ host, card })
      if ('vgpus' in tallies) addPgpu(tallies, pgpu)
      else for (const tally of tallies) addPgpu(tally, pgpu)
    }
  }
}

/** The totals of a tally of this fleet. */
export const totalsOf = ({ fleet, silentHosts }: SummedFleet, tally: FleetTally): UnitTotals => {
  const { reasons, strandedReasons } = fleet.dictionaries
  const textAt = (dictionary: typeof reasons) => (index: number) =>
    index >= 0 && index < dictionary.size() ? dictionary.valueAt(index) : undefined
  return describeTotals(tally, {
    reasonAt: textAt(reasons),
    strandedReasonAt: textAt(strandedReasons),
    seenAtOf: (host) => silentHosts.get(host)?.toISOString() ?? null,
  })
}
