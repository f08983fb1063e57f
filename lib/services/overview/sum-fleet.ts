import { noTypeWords } from '@/lib/domain/fleet/no-type-words'
import { addToTotals, emptyTotals, type PgpuCounts } from '@/lib/domain/fleet/totals'
import type { FleetTotals, Overview } from '@/lib/schemas/api/fleet'
import {
  CARD_WIDTH,
  type CardColumn,
  cardPlace,
  compareTexts,
  type FleetDictionaries,
  UNKNOWN,
} from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'

type ByModel = Overview['byModel'][number]
type ByType = ByModel['byType'][number]
type ModelSums = { model: string; totals: FleetTotals; types: Map<string, ByType> }

const typeOf = (
  { types, frameworks }: FleetDictionaries,
  { typeIndex, frameworkIndex }: { typeIndex: number; frameworkIndex: number },
): Pick<ByType, 'typeId' | 'shortName'> =>
  typeIndex === UNKNOWN
    ? { typeId: null, shortName: noTypeWords(frameworks.valueAt(frameworkIndex)) }
    : types.valueAt(typeIndex)

/** Types by name; cards without one last. */
const compareTypes = (a: ByType, b: ByType): number =>
  Number(a.typeId === null) - Number(b.typeId === null) || compareTexts(a.shortName, b.shortName)

const toByModel = ({ model, totals, types }: ModelSums): ByModel => ({
  model,
  ...totals,
  byType: [...types.values()].sort(compareTypes),
})

/** Totals of a fleet, and by model and type. One pass: 80,000 pGPUs take about 10 ms. */
export const sumFleet = (
  { hosts, dictionaries }: Fleet,
  silentHostIds: ReadonlySet<number>,
): Pick<Overview, 'totals' | 'byModel'> => {
  const totals = emptyTotals()
  const models = new Map<number, ModelSums>()

  const sumsOfModel = (modelIndex: number): ModelSums => {
    const known = models.get(modelIndex)
    if (known !== undefined) return known
    const fresh = { model: dictionaries.models.valueAt(modelIndex), totals: emptyTotals(), types: new Map() }
    models.set(modelIndex, fresh)
    return fresh
  }

  const sumsOfType = (
    { types }: ModelSums,
    indexes: { typeIndex: number; frameworkIndex: number },
  ): FleetTotals => {
    // Types with one id and name may be worded twice; cards without a type differ by framework.
    const { typeId, shortName } = typeOf(dictionaries, indexes)
    const key = `${typeId} ${shortName}`
    const known = types.get(key)
    if (known !== undefined) return known
    const fresh = { typeId, shortName, ...emptyTotals() }
    types.set(key, fresh)
    return fresh
  }

  for (const { id, cards } of hosts) {
    const isSilent = silentHostIds.has(id)
    for (let from = 0; from < cards.length; from += CARD_WIDTH) {
      const at = (column: CardColumn): number => cards[from + cardPlace(column)] ?? UNKNOWN
      const known = (column: CardColumn): number | null => (at(column) === UNKNOWN ? null : at(column))
      const counts: PgpuCounts = {
        capacity: known('capacity'),
        used: known('used'),
        spare: known('spare'),
        orphan: known('orphan'),
        returning: known('returning'),
        creatable: known('creatable'),
      }
      const ofModel = sumsOfModel(at('modelIndex'))
      const ofType = sumsOfType(ofModel, { typeIndex: at('typeIndex'), frameworkIndex: at('frameworkIndex') })
      addToTotals(totals, counts, isSilent)
      addToTotals(ofModel.totals, counts, isSilent)
      addToTotals(ofType, counts, isSilent)
    }
  }
  return {
    totals,
    byModel: [...models.values()].map(toByModel).sort((a, b) => compareTexts(a.model, b.model)),
  }
}
