import { noTypeWords } from '@/lib/domain/fleet/no-type-words'
import {
  addToTotals,
  emptyTotals,
  type FleetSums,
  mergeTotals,
  type PgpuCounts,
} from '@/lib/domain/fleet/totals'
import { unknownReason } from '@/lib/domain/fleet/unknown-reason'
import type { FleetTotals, Overview } from '@/lib/schemas/api/fleet'
import {
  CARD_WIDTH,
  cardPlace,
  compareTexts,
  type FleetDictionaries,
  UNKNOWN,
} from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'

type ByModel = Overview['byModel'][number]
type ByType = ByModel['byType'][number]

/** Cards with one model, type and framework. */
type Group = {
  modelIndex: number
  typeIndex: number
  frameworkIndex: number
  sums: FleetSums
  /** Unknown ones on silent hosts, and the others by the index of their reason. */
  silent: number
  told: Map<number, number>
}

const MODEL = cardPlace('modelIndex')
const TYPE = cardPlace('typeIndex')
const FRAMEWORK = cardPlace('frameworkIndex')
const CAPACITY = cardPlace('capacity')
const USED = cardPlace('used')
const SPARE = cardPlace('spare')
const ORPHAN = cardPlace('orphan')
const RETURNING = cardPlace('returning')
const CREATABLE = cardPlace('creatable')
const REASON = cardPlace('reasonIndex')

const known = (value: number | undefined): number | null =>
  value === undefined || value === UNKNOWN ? null : value

/** One pass over the integers, because an overview is asked for every few seconds: 80,000 cards take a few milliseconds. */
const groupCards = ({ hosts, dictionaries }: Fleet, silentHostIds: ReadonlySet<number>): Group[] => {
  const groups = new Map<number, Group>()
  const [typeCount, frameworkCount] = [dictionaries.types.size() + 1, dictionaries.frameworks.size()]
  const counts: PgpuCounts = {
    capacity: null,
    used: null,
    spare: null,
    orphan: null,
    returning: null,
    creatable: null,
  }
  for (const { id, cards } of hosts) {
    const isSilent = silentHostIds.has(id)
    for (let card = 0; card < cards.length; card += CARD_WIDTH) {
      const modelIndex = cards[card + MODEL] ?? 0
      const typeIndex = known(cards[card + TYPE]) ?? -1
      const frameworkIndex = cards[card + FRAMEWORK] ?? 0
      const key = (modelIndex * typeCount + typeIndex + 1) * frameworkCount + frameworkIndex
      let group = groups.get(key)
      if (group === undefined) {
        group = { modelIndex, typeIndex, frameworkIndex, sums: emptyTotals(), silent: 0, told: new Map() }
        groups.set(key, group)
      }
      counts.capacity = known(cards[card + CAPACITY])
      counts.used = known(cards[card + USED])
      counts.spare = known(cards[card + SPARE])
      counts.orphan = known(cards[card + ORPHAN])
      counts.returning = known(cards[card + RETURNING])
      counts.creatable = known(cards[card + CREATABLE])
      if (addToTotals(group.sums, counts, isSilent)) continue
      const reason = cards[card + REASON] ?? UNKNOWN
      if (isSilent) group.silent += 1
      else group.told.set(reason, (group.told.get(reason) ?? 0) + 1)
    }
  }
  return [...groups.values()]
}

const typeOf = (
  { types, frameworks }: FleetDictionaries,
  { typeIndex, frameworkIndex }: Group,
): Pick<ByType, 'typeId' | 'shortName'> =>
  typeIndex < 0
    ? { typeId: null, shortName: noTypeWords(frameworks.valueAt(frameworkIndex)) }
    : types.valueAt(typeIndex)

/** Types by name; cards without one last. */
const compareTypes = (a: ByType, b: ByType): number =>
  Number(a.typeId === null) - Number(b.typeId === null) || compareTexts(a.shortName, b.shortName)

const addReasons = (
  told: Map<string, number>,
  group: Group,
  { reasons }: Pick<FleetDictionaries, 'reasons'>,
): void => {
  for (const [index, count] of group.told) {
    const reason = index === UNKNOWN ? 'not told by the host' : reasons.valueAt(index)
    told.set(reason, (told.get(reason) ?? 0) + count)
  }
}

const sumGroups = (groups: readonly Group[], dictionaries: FleetDictionaries): FleetTotals => {
  const sums = emptyTotals()
  const told = new Map<string, number>()
  let silent = 0
  for (const group of groups) {
    mergeTotals(sums, group.sums)
    silent += group.silent
    addReasons(told, group, dictionaries)
  }
  return { ...sums, unknownReason: unknownReason({ silent, told }) }
}

/** Of several wordings of one type, one that names it. */
const nameOf = (names: readonly string[], typeId: string | null): string =>
  names.toSorted((a, b) => Number(a === typeId) - Number(b === typeId) || compareTexts(a, b))[0] ?? ''

/** One entry per type id, whatever wordings and frameworks its cards have; those without a type by their words. */
const sumTypes = (groups: readonly Group[], dictionaries: FleetDictionaries): ByType[] => {
  const ofType = new Map<string, Group[]>()
  for (const group of groups) {
    const { typeId, shortName } = typeOf(dictionaries, group)
    const key = typeId ?? ` ${shortName}`
    ofType.set(key, [...(ofType.get(key) ?? []), group])
  }
  return [...ofType.values()]
    .map((members): ByType => {
      const types = members.map((group) => typeOf(dictionaries, group))
      const typeId = types[0]?.typeId ?? null
      const shortName = nameOf(
        types.map((type) => type.shortName),
        typeId,
      )
      return { typeId, shortName, ...sumGroups(members, dictionaries) }
    })
    .sort(compareTypes)
}

/** Totals of a fleet, and by model and type, both by name. */
export const sumFleet = (
  fleet: Fleet,
  silentHostIds: ReadonlySet<number>,
): Pick<Overview, 'totals' | 'wholeCards' | 'byModel'> => {
  const { dictionaries } = fleet
  const groups = groupCards(fleet, silentHostIds)
  const { capacity, used } = sumGroups(
    groups.filter(({ frameworkIndex }) => dictionaries.frameworks.valueAt(frameworkIndex) === 'passthrough'),
    dictionaries,
  )
  const modelIndexes = [...new Set(groups.map((group) => group.modelIndex))]
  const byModel = modelIndexes.map((modelIndex) => {
    const ofModel = groups.filter((group) => group.modelIndex === modelIndex)
    return {
      model: dictionaries.models.valueAt(modelIndex),
      ...sumGroups(ofModel, dictionaries),
      byType: sumTypes(ofModel, dictionaries),
    }
  })
  return {
    totals: sumGroups(groups, dictionaries),
    wholeCards: { capacity, used },
    byModel: byModel.sort((a, b) => compareTexts(a.model, b.model)),
  }
}
