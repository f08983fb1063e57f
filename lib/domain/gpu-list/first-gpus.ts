import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'
import { type Arranged, arrangeGpus, type GpuSort, type Grouping } from './arrange-gpus'
import { filterGpus, type GpuFilter } from './filter-gpus'
import type { FirstGpus } from './first-list'
import { type ColumnName, type GpuStore, numberAt, UNKNOWN } from './gpu-store'
import { groupFigures } from './group-figures'
import { lineAt, lineCount } from './lines'
import { type SilentHosts, sumGpus } from './sum-gpus'

/** The filter, grouping and order of a requested list. */
export type GpuListing = { filter: GpuFilter; grouping: Grouping; sort: GpuSort }

const FIRST_LINES = 40
const MAX_GROUPS = 60

/** Only what the rows point to, in the order in which they do. */
const takeEntries = <Entry>(entries: readonly Entry[], column: Int32Array, rows: Int32Array) => {
  const positions = new Map<number, number>()
  for (const row of rows) {
    const entry = column[row] ?? UNKNOWN
    if (entry !== UNKNOWN && !positions.has(entry)) positions.set(entry, positions.size)
  }
  return {
    entries: [...positions.keys()].map((entry) => entries[entry]).filter((entry) => entry !== undefined),
    indexOf: (entry: number) => positions.get(entry) ?? UNKNOWN,
    column: Array.from(rows, (row) => positions.get(column[row] ?? UNKNOWN) ?? null),
  }
}

const takeRows = (store: GpuStore, rows: Int32Array) => {
  const { data, columns } = store
  const hosts = takeEntries(data.hosts, columns.hostIndex, rows)
  const addresses = takeEntries(data.addresses, columns.addressIndex, rows)
  const findings = takeEntries(data.findings, columns.findingIndex, rows)
  const reasons = takeEntries(data.reasons, columns.reasonIndex, rows)
  const strandedReasons = takeEntries(data.strandedReasons, columns.strandedReasonIndex, rows)
  const taken = {} as Record<ColumnName, (number | null)[]>
  for (const name of Object.keys(columns) as ColumnName[])
    taken[name] = Array.from(rows, (row) => numberAt(columns[name], row))
  const known = (column: (number | null)[]) => column.map((index) => index ?? 0)
  const gpus: GpuColumns = {
    ...data,
    hosts: hosts.entries,
    addresses: addresses.entries,
    findings: findings.entries,
    reasons: reasons.entries,
    strandedReasons: strandedReasons.entries,
    columns: {
      ...taken,
      hostIndex: known(hosts.column),
      addressIndex: known(addresses.column),
      modelIndex: known(taken.modelIndex),
      frameworkIndex: known(taken.frameworkIndex),
      findingIndex: findings.column,
      reasonIndex: reasons.column,
      strandedReasonIndex: strandedReasons.column,
    },
  }
  const hostSizes = new Array<number>(hosts.entries.length).fill(0)
  for (const index of new Set(Array.from(rows, (row) => columns.hostIndex[row] ?? UNKNOWN)))
    hostSizes[hosts.indexOf(index)] = store.sizes.host[index] ?? 0
  return { gpus, hostSizes, hostIndexOf: hosts.indexOf }
}

/** Places of the first lines. */
const firstPositions = (arranged: Arranged): number => {
  let positions = 0
  for (let line = 0; line < Math.min(FIRST_LINES, lineCount(arranged)); line++) {
    const found = lineAt(arranged, line)
    positions = found.kind === 'row' ? found.position + 1 : positions
  }
  return positions
}

/** The first lines of a fleet's list. */
export const firstGpus = (
  store: GpuStore,
  { filter, grouping, sort }: GpuListing,
  { silentHosts }: { silentHosts: SilentHosts },
): FirstGpus => {
  const filtered = filterGpus(store, filter, { silentHosts, serverGpus: [] })
  const arranged = arrangeGpus(store, filtered, { grouping, sort })
  const { rows } = arranged
  const positions = firstPositions(arranged)
  const { gpus, hostSizes, hostIndexOf } = takeRows(store, rows.subarray(0, positions))
  const groups = arranged.groups.slice(0, MAX_GROUPS).map((group, at) => ({
    entry: grouping === 'host' && group.entry !== null ? hostIndexOf(group.entry) : group.entry,
    start: group.start,
    end: at === MAX_GROUPS - 1 ? rows.length : group.end,
    figures: group.start < positions ? groupFigures(store, arranged, { group, grouping, silentHosts }) : null,
  }))
  const { model, type, framework, aggregateSet } = store.sizes
  return {
    gpus,
    count: store.count,
    grouping,
    hosts: store.data.hosts.length,
    sizes: {
      host: hostSizes,
      model: [...model],
      type: [...type],
      framework: [...framework],
      aggregateSet: [...aggregateSet],
    },
    shown: rows.length,
    sums: sumGpus(store, rows, { silentHosts }),
    groups,
  }
}
