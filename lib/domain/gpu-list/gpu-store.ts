import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'
import { SEVERITIES } from '@/lib/schemas/severity'
import { naturalRanks } from '@/lib/util/natural-order'
import { ranksOfRows, sortByRank } from './sort-by-rank'

export type ColumnName = keyof GpuColumns['columns']

/** What the columns point into: names and sentences, each once. */
export type GpuDictionaries = Omit<GpuColumns, 'columns'>

/** Represents null in a typed column. */
export const UNKNOWN = -2_147_483_648

/** The fleet's columns as typed arrays, with the ranks that sorting and grouping compare. Row r is element r of each. */
export type GpuStore = {
  data: GpuDictionaries
  count: number
  columns: Record<ColumnName, Int32Array>
  /** Rank of each dictionary entry: models by how many there are, findings by urgency, the others in natural order. */
  ranks: Record<'host' | 'address' | 'model' | 'type' | 'framework' | 'finding' | 'aggregateSet', Int32Array>
  /** How many rows point to each dictionary entry. */
  sizes: Record<'host' | 'model' | 'type' | 'framework' | 'aggregateSet', Int32Array>
  /** All rows by host and address. */
  baseOrder: Int32Array
  /** First place in the base order of each host's rows, by the host's rank. */
  hostStarts: Int32Array
}

const toTyped = (values: readonly (number | null)[]): Int32Array => {
  const typed = new Int32Array(values.length)
  for (let row = 0; row < values.length; row++) typed[row] = values[row] ?? UNKNOWN
  return typed
}

export const createGpuStore = ({ columns: sent, ...data }: GpuColumns): GpuStore => {
  const columns = {} as GpuStore['columns']
  for (const name of Object.keys(sent) as ColumnName[]) columns[name] = toTyped(sent[name])
  return indexGpus(data, columns)
}

/** Takes the columns as its own. The store is words and typed arrays alone, so a worker can hand it over. */
export const indexGpus = (data: GpuDictionaries, columns: GpuStore['columns']): GpuStore => {
  mergeTypes(columns.typeIndex, data.types)
  const count = columns.hostIndex.length
  const sizes = {
    host: sizesOf(columns.hostIndex, data.hosts.length),
    model: sizesOf(columns.modelIndex, data.models.length),
    type: sizesOf(columns.typeIndex, data.types.length),
    framework: sizesOf(columns.frameworkIndex, data.frameworks.length),
    aggregateSet: sizesOf(columns.aggregateSetIndex, data.aggregateSets.length),
  }
  const ranks = {
    host: naturalRanks(data.hosts),
    address: naturalRanks(data.addresses),
    model: ranksBySize(data.models, sizes.model, count),
    type: naturalRanks(data.types.map(({ shortName, typeId }) => `${shortName} ${typeId}`)),
    framework: naturalRanks(data.frameworks),
    finding: severityRanks(data.findings),
    aggregateSet: naturalRanks(data.aggregateSets.map(aggregateSetKey)),
  }
  const byAddress = sortByRank(
    Int32Array.from({ length: count }, (_, row) => row),
    { rankOf: ranksOfRows(ranks.address, columns.addressIndex, 0), ranks: data.addresses.length },
  )
  const baseOrder = sortByRank(byAddress, {
    rankOf: ranksOfRows(ranks.host, columns.hostIndex, 0),
    ranks: data.hosts.length,
  })
  const hostStarts = startsOf({ baseOrder, hostIndex: columns.hostIndex, ranks: ranks.host })
  return { data, count, columns, ranks, sizes, baseOrder, hostStarts }
}

const sizesOf = (column: Int32Array, entries: number): Int32Array => {
  const sizes = new Int32Array(entries)
  for (let row = 0; row < column.length; row++) {
    const entry = column[row] ?? UNKNOWN
    if (entry !== UNKNOWN) sizes[entry] = (sizes[entry] ?? 0) + 1
  }
  return sizes
}

const hostIndexes = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Index of a host by its name; built at the first use. */
const indexOfHost = ({ data: { hosts } }: GpuStore, host: string): number | undefined => {
  const known = hostIndexes.get(hosts) ?? new Map(hosts.map((name, index) => [name, index]))
  hostIndexes.set(hosts, known)
  return known.get(host)
}

/** Drivers word one type differently, or not at all: all rows of a type id point to one entry, that names it if one does. */
const mergeTypes = (typeIndex: Int32Array, types: GpuColumns['types']): void => {
  const entryOf = new Map<string, number>()
  for (const [index, { typeId, shortName }] of types.entries()) {
    const held = types[entryOf.get(typeId) ?? -1]
    if (held === undefined || (held.shortName === typeId && shortName !== typeId)) entryOf.set(typeId, index)
  }
  if (entryOf.size === types.length) return
  const merged = types.map(({ typeId }, index) => entryOf.get(typeId) ?? index)
  for (let row = 0; row < typeIndex.length; row++) {
    const index = typeIndex[row] ?? UNKNOWN
    if (index !== UNKNOWN) typeIndex[row] = merged[index] ?? index
  }
}

const startsOf = ({
  baseOrder,
  hostIndex,
  ranks,
}: {
  baseOrder: Int32Array
  hostIndex: Int32Array
  ranks: Int32Array
}): Int32Array => {
  const starts = new Int32Array(ranks.length + 1).fill(baseOrder.length)
  for (let position = baseOrder.length - 1; position >= 0; position--) {
    starts[ranks[hostIndex[baseOrder[position] ?? 0] ?? 0] ?? 0] = position
  }
  return starts
}

/** The row of a pGPU; null when the fleet no longer has it. */
export const findRow = (
  store: GpuStore,
  { host, address }: { host: string; address: string },
): number | null => {
  const index = indexOfHost(store, host)
  if (index === undefined) return null
  for (
    let position = store.hostStarts[store.ranks.host[index] ?? 0] ?? 0;
    position < store.baseOrder.length;
    position++
  ) {
    const row = store.baseOrder[position] ?? 0
    if (store.columns.hostIndex[row] !== index) return null
    if (store.data.addresses[store.columns.addressIndex[row] ?? 0] === address) return row
  }
  return null
}

/** The models with the most pGPUs first, because they characterize the fleet. */
const ranksBySize = (entries: readonly string[], sizes: Int32Array, count: number): Int32Array => {
  const rarity = (entry: number) => String(count - (sizes[entry] ?? 0)).padStart(9, '0')
  return naturalRanks(entries.map((name, entry) => `${rarity(entry)} ${name}`))
}

/** The most urgent first, equal ones by their sentence. */
const severityRanks = (findings: GpuColumns['findings']): Int32Array =>
  naturalRanks(findings.map(({ severity, sentence }) => `${SEVERITIES.indexOf(severity)} ${sentence}`))

/** Hosts in no aggregate come last. */
const aggregateSetKey = (names: readonly string[]): string =>
  names.length === 0 ? '1' : `0 ${aggregateSetText(names)}`

/** "gpu-a40, gpu-desktop". */
export const aggregateSetText = (names: readonly string[]): string =>
  names.length === 0 ? 'in no aggregate' : names.join(', ')

/** A cloud is read: each pGPU that it was asked about has at least a word on its service. */
export const isCloudRead = ({ data }: Pick<GpuStore, 'data'>): boolean => data.services.length > 0

/** A number of a row; null is unknown. */
export const numberAt = (column: Int32Array, row: number): number | null => {
  const value = column[row] ?? UNKNOWN
  return value === UNKNOWN ? null : value
}

/** The dictionary entry that a row points to; null when it points to none. */
export const entryAt = <Entry>(entries: readonly Entry[], column: Int32Array, row: number): Entry | null =>
  entries[column[row] ?? UNKNOWN] ?? null

/** A row as an object, for drawing and for the CSV. */
export type GpuRow = {
  row: number
  host: string
  address: string
  model: string
  framework: string
  type: GpuColumns['types'][number] | null
  range: readonly [number, number] | null
  numaNode: number | null
  framebufferMib: number | null
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  returning: number | null
  creatable: number | null
  finding: GpuColumns['findings'][number] | null
  reason: string | null
  advertised: number | null
  advertisedUsed: number | null
  stranded: number | null
  strandedReason: string | null
  service: GpuColumns['services'][number] | null
  aggregates: readonly string[] | null
}

export const gpuRowAt = ({ data, columns }: GpuStore, row: number): GpuRow => ({
  row,
  host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
  address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  model: entryAt(data.models, columns.modelIndex, row) ?? '',
  framework: entryAt(data.frameworks, columns.frameworkIndex, row) ?? '',
  type: entryAt(data.types, columns.typeIndex, row),
  range: entryAt(data.ranges, columns.rangeIndex, row),
  numaNode: numberAt(columns.numaNode, row),
  framebufferMib: numberAt(columns.framebufferMib, row),
  capacity: numberAt(columns.capacity, row),
  used: numberAt(columns.used, row),
  spare: numberAt(columns.spare, row),
  orphan: numberAt(columns.orphan, row),
  returning: numberAt(columns.returning, row),
  creatable: numberAt(columns.creatable, row),
  finding: entryAt(data.findings, columns.findingIndex, row),
  reason: entryAt(data.reasons, columns.reasonIndex, row),
  advertised: numberAt(columns.advertised, row),
  advertisedUsed: numberAt(columns.advertisedUsed, row),
  stranded: numberAt(columns.stranded, row),
  strandedReason: entryAt(data.strandedReasons, columns.strandedReasonIndex, row),
  service: entryAt(data.services, columns.serviceIndex, row),
  aggregates: entryAt(data.aggregateSets, columns.aggregateSetIndex, row),
})

/** A key of the pGPU in a row that stays valid when rows move with changes of the fleet. */
export const keyOfRow = ({ data, columns }: GpuStore, row: number): string =>
  `${entryAt(data.hosts, columns.hostIndex, row)} ${entryAt(data.addresses, columns.addressIndex, row)}`
