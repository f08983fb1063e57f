import { addToTotals, emptyTotals, type PgpuCounts } from '@/lib/domain/fleet/totals'
import { unknownReason } from '@/lib/domain/fleet/unknown-reason'
import type { FleetTotals } from '@/lib/schemas/api/fleet'
import { type GpuStore, numberAt, UNKNOWN } from './gpu-store'

export type GpuSums = FleetTotals & {
  hosts: number
  /** pGPUs that orphans lock. */
  pgpusWithOrphans: number
  /** pGPUs on silent hosts. */
  silent: number
  /** Null: there are pGPUs, and of none of them it is known. Those of silent hosts stay out. */
  stranded: number | null
  /** pGPUs, on hosts that speak, of which it is not known. */
  strandedUnknown: number
}

/** 1 for each host of the store that is silent. */
export const silentMask = ({ data }: GpuStore, silentHosts: ReadonlySet<string>): Uint8Array =>
  Uint8Array.from(data.hosts, (host) => (silentHosts.has(host) ? 1 : 0))

/** Sums over rows from `start` to before `end`, by the same rule as the overview's. */
export const sumGpus = (
  store: GpuStore,
  rows: Int32Array,
  { isSilent, start = 0, end = rows.length }: { isSilent: Uint8Array; start?: number; end?: number },
): GpuSums => {
  const { data, columns } = store
  const totals = emptyTotals()
  // One object for all rows: 80,000 of them would keep the garbage collector busy at every key.
  const counts: PgpuCounts = {
    capacity: null,
    used: null,
    spare: null,
    orphan: null,
    returning: null,
    creatable: null,
  }
  const isSeen = new Uint8Array(data.hosts.length)
  let hosts = 0
  let silent = 0
  let pgpusWithOrphans = 0
  let stranded: number | null = start < end ? null : 0
  let strandedUnknown = 0
  const toldIndexes = new Map<number, number>()
  for (let at = start; at < end; at++) {
    const row = rows[at] ?? 0
    const host = columns.hostIndex[row] ?? 0
    if (isSeen[host] === 0) hosts += 1
    isSeen[host] = 1
    if (isSilent[host] === 1) silent += 1
    else if ((columns.orphan[row] ?? UNKNOWN) > 0) pgpusWithOrphans += 1
    const strandedHere = isSilent[host] === 1 ? null : numberAt(columns.stranded, row)
    if (strandedHere !== null) stranded = (stranded ?? 0) + strandedHere
    else if (isSilent[host] !== 1) strandedUnknown += 1
    counts.capacity = numberAt(columns.capacity, row)
    counts.used = numberAt(columns.used, row)
    counts.spare = numberAt(columns.spare, row)
    counts.orphan = numberAt(columns.orphan, row)
    counts.returning = numberAt(columns.returning, row)
    counts.creatable = numberAt(columns.creatable, row)
    if (addToTotals(totals, counts, isSilent[host] === 1) || isSilent[host] === 1) continue
    const reason = columns.reasonIndex[row] ?? UNKNOWN
    toldIndexes.set(reason, (toldIndexes.get(reason) ?? 0) + 1)
  }
  const told = new Map(
    [...toldIndexes].map(([index, count]) => [data.reasons[index] ?? 'not told by the host', count]),
  )
  return {
    ...totals,
    unknownReason: unknownReason({ silent, told }),
    hosts,
    pgpusWithOrphans,
    silent,
    stranded,
    strandedUnknown,
  }
}
