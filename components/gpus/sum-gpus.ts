import { isUnknownAt } from './filter-gpus'
import { type GpuStore, UNKNOWN } from './gpu-store'

export type GpuSums = {
  pgpus: number
  hosts: number
  capacity: number
  used: number
  spare: number
  orphan: number
  creatable: number
  /** pGPUs that orphans lock. */
  pgpusWithOrphans: number
  /** pGPUs with an unknown number, or on a silent host. */
  unknown: number
  /** Of these, pGPUs on silent hosts. */
  silent: number
}

const SUMMED = ['capacity', 'used', 'spare', 'orphan', 'creatable'] as const

/** 1 for each host of the store that is silent. */
export const silentMask = ({ data }: GpuStore, silentHosts: ReadonlySet<string>): Uint8Array =>
  Uint8Array.from(data.hosts, (host) => (silentHosts.has(host) ? 1 : 0))

/** Sums over rows from `start` to before `end`. Silent hosts' numbers are old, so their pGPUs only count as unknown. */
export const sumGpus = (
  store: GpuStore,
  rows: Int32Array,
  { isSilent, start = 0, end = rows.length }: { isSilent: Uint8Array; start?: number; end?: number },
): GpuSums => {
  const { data, columns } = store
  const sums: GpuSums = {
    pgpus: end - start,
    hosts: 0,
    capacity: 0,
    used: 0,
    spare: 0,
    orphan: 0,
    creatable: 0,
    pgpusWithOrphans: 0,
    unknown: 0,
    silent: 0,
  }
  const isSeen = new Uint8Array(data.hosts.length)
  for (let at = start; at < end; at++) {
    const row = rows[at] ?? 0
    const host = columns.hostIndex[row] ?? 0
    if (isSeen[host] === 0) {
      isSeen[host] = 1
      sums.hosts += 1
    }
    if (isSilent[host] === 1) {
      sums.unknown += 1
      sums.silent += 1
      continue
    }
    if (isUnknownAt(store, row)) sums.unknown += 1
    for (const name of SUMMED) {
      const value = columns[name][row] ?? UNKNOWN
      if (value !== UNKNOWN) sums[name] += value
    }
    if ((columns.orphan[row] ?? 0) > 0) sums.pgpusWithOrphans += 1
  }
  return sums
}
