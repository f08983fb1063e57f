import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { emptyTally, type FleetTally, mergeTally } from '@/lib/domain/fleet/totals'
import type { Overview } from '@/lib/schemas/api/fleet'
import type { UnitTotals } from '@/lib/schemas/api/totals'
import { cardOffset, type FleetDictionaries, UNKNOWN } from '@/lib/services/fleet/card-table'
import { type SummedFleet, tallyCards, totalsOf } from '@/lib/services/fleet/tally-cards'
import { compareTexts } from '@/lib/util/compare-texts'

type ByModel = Overview['byModel'][number]
type ByType = ByModel['byType'][number]

/** Cards with one model, type and framework. */
type Group = { modelIndex: number; typeIndex: number; frameworkIndex: number; tally: FleetTally }

const MODEL = cardOffset('modelIndex')
const TYPE = cardOffset('typeIndex')
const FRAMEWORK = cardOffset('frameworkIndex')

const groupCards = (view: SummedFleet): Group[] => {
  const { hosts, dictionaries } = view.fleet
  const groups = new Map<number, Group>()
  const [typeCount, frameworkCount] = [dictionaries.types.size() + 1, dictionaries.frameworks.size()]
  tallyCards(view, hosts, ({ host: { cards }, card }) => {
    const modelIndex = cards[card + MODEL] ?? 0
    const type = cards[card + TYPE] ?? UNKNOWN
    const typeIndex = type === UNKNOWN ? -1 : type
    const frameworkIndex = cards[card + FRAMEWORK] ?? 0
    const key = (modelIndex * typeCount + typeIndex + 1) * frameworkCount + frameworkIndex
    let group = groups.get(key)
    if (group === undefined) {
      group = { modelIndex, typeIndex, frameworkIndex, tally: emptyTally() }
      groups.set(key, group)
    }
    return group.tally
  })
  return [...groups.values()]
}

const typeOf = (
  { types, frameworks }: FleetDictionaries,
  { typeIndex, frameworkIndex }: Group,
): Pick<ByType, 'typeId' | 'shortName'> =>
  typeIndex < 0
    ? { typeId: null, shortName: noTypeLabel(frameworks.valueAt(frameworkIndex)) }
    : types.valueAt(typeIndex)

/** Types by name; cards without one last. */
const compareTypes = (a: ByType, b: ByType): number =>
  Number(a.typeId === null) - Number(b.typeId === null) || compareTexts(a.shortName, b.shortName)

const sumGroups = (groups: readonly Group[], view: SummedFleet): UnitTotals => {
  const sums = emptyTally()
  for (const { tally } of groups) mergeTally(sums, tally)
  return totalsOf(view, sums)
}

/** Of several wordings of one type, one that names it. */
const nameOf = (names: readonly string[], typeId: string | null): string =>
  names.toSorted((a, b) => Number(a === typeId) - Number(b === typeId) || compareTexts(a, b))[0] ?? ''

/** One entry per type id, for all names and frameworks of its cards; cards without a type by their text. */
const sumTypes = (groups: readonly Group[], view: SummedFleet): ByType[] => {
  const { dictionaries } = view.fleet
  const ofType = new Map<string, Group[]>()
  for (const group of groups) {
    const { typeId, shortName } = typeOf(dictionaries, group)
    const key = typeId ?? ` ${shortName}`
    ofType.set(key, [...(ofType.get(key) ?? []), group])
  }
  return [...ofType.values()]
    .flatMap((members): ByType[] => {
      const types = members.map((group) => typeOf(dictionaries, group))
      const typeId = types[0]?.typeId ?? null
      const shortName = nameOf(
        types.map((type) => type.shortName),
        typeId,
      )
      const { totals, passthrough } = sumGroups(members, view)
      return [
        { typeId, shortName, unit: 'vgpu' as const, ...totals },
        { typeId, shortName, unit: 'passthrough' as const, ...passthrough },
      ].filter(({ pgpus }) => pgpus > 0)
    })
    .sort(compareTypes)
}

/** Totals of a fleet, and by model and type, both by name. */
export const sumFleet = (view: SummedFleet): Pick<Overview, 'totals' | 'passthrough' | 'byModel'> => {
  const { dictionaries } = view.fleet
  const groups = groupCards(view)
  const modelIndexes = [...new Set(groups.map((group) => group.modelIndex))]
  const byModel = modelIndexes.map((modelIndex) => {
    const ofModel = groups.filter((group) => group.modelIndex === modelIndex)
    const { totals, passthrough } = sumGroups(ofModel, view)
    return {
      model: dictionaries.models.valueAt(modelIndex),
      ...totals,
      passthrough,
      byType: sumTypes(ofModel, view),
    }
  })
  return { ...sumGroups(groups, view), byModel: byModel.sort((a, b) => compareTexts(a.model, b.model)) }
}
