import type { FindingMark } from '@/lib/domain/findings/list-findings'
import { UNKNOWN as LIST_UNKNOWN } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'

/** Gives equal texts one small number, so that 80,000 rows are integers. The numbers are this process's own. */
type Dictionary<Value> = {
  idOf(key: string, make: () => Value): number
  valueAt(id: number): Value
  size(): number
}

const createDictionary = <Value>(): Dictionary<Value> => {
  const ids = new Map<string, number>()
  const values: Value[] = []
  return {
    idOf: (key, make) => {
      const known = ids.get(key)
      if (known !== undefined) return known
      values.push(make())
      ids.set(key, values.length - 1)
      return values.length - 1
    },
    valueAt: (id) => {
      const value = values[id]
      if (value === undefined) throw new RangeError(`no dictionary entry ${id}`)
      return value
    },
    size: () => values.length,
  }
}

/** Columns of the fleet's table in memory, in the order in which they are sent after `hostIndex`. */
export const CARD_COLUMNS = [
  'addressIndex',
  'modelIndex',
  'frameworkIndex',
  'typeIndex',
  'rangeIndex',
  'numaNode',
  'framebufferMib',
  'capacity',
  'used',
  'spare',
  'orphan',
  'returning',
  'creatable',
  'findingIndex',
  'reasonIndex',
  'advertised',
  'advertisedUsed',
  'stranded',
  'strandedReasonIndex',
  'serviceIndex',
  'aggregateSetIndex',
] as const satisfies readonly (keyof GpuColumns['columns'])[]
export type CardColumn = (typeof CARD_COLUMNS)[number]

export const CARD_WIDTH = CARD_COLUMNS.length

const indexOf = Object.fromEntries(CARD_COLUMNS.map((name, index) => [name, index])) as Record<
  CardColumn,
  number
>

/** Place of a column within one card's integers. */
export const cardOffset = (column: CardColumn): number => indexOf[column]

/** Represents null among the integers, as in the lists that are created from them. */
export const UNKNOWN = LIST_UNKNOWN

type TypeEntry = GpuColumns['types'][number]
type FindingEntry = GpuColumns['findings'][number]
type RangeEntry = GpuColumns['ranges'][number]
type ServiceEntry = GpuColumns['services'][number]

/** What the `…Index` columns point into, and the name under which each dictionary is sent. */
export type FleetDictionaries = {
  addresses: Dictionary<string>
  models: Dictionary<string>
  types: Dictionary<TypeEntry>
  frameworks: Dictionary<string>
  ranges: Dictionary<RangeEntry>
  findings: Dictionary<FindingEntry>
  reasons: Dictionary<string>
  strandedReasons: Dictionary<string>
  services: Dictionary<ServiceEntry>
  aggregateSets: Dictionary<string[]>
}

export const DICTIONARY_OF = {
  addressIndex: 'addresses',
  modelIndex: 'models',
  frameworkIndex: 'frameworks',
  typeIndex: 'types',
  rangeIndex: 'ranges',
  findingIndex: 'findings',
  reasonIndex: 'reasons',
  strandedReasonIndex: 'strandedReasons',
  serviceIndex: 'services',
  aggregateSetIndex: 'aggregateSets',
} as const satisfies Partial<Record<CardColumn, keyof FleetDictionaries>>

export const createFleetDictionaries = (): FleetDictionaries => ({
  addresses: createDictionary(),
  models: createDictionary(),
  types: createDictionary(),
  frameworks: createDictionary(),
  ranges: createDictionary(),
  findings: createDictionary(),
  reasons: createDictionary(),
  strandedReasons: createDictionary(),
  services: createDictionary(),
  aggregateSets: createDictionary(),
})

/** A host and its pGPUs: CARD_WIDTH integers each, by address. `changedXid` names the version of the host's rows. */
export type HostBlock = {
  id: number
  name: string
  changedXid: string
  cards: Int32Array
  /** All findings of the host and its pGPUs. */
  findings: readonly FindingMark[]
}

export const cardCount = (block: HostBlock): number => block.cards.length / CARD_WIDTH
