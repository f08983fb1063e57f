import { describeTotals } from '@/lib/domain/fleet/describe-totals'
import { addPgpu, emptyTally, type FleetTally, type TalliedPgpu } from '@/lib/domain/fleet/totals'
import type { UnitTotals } from '@/lib/schemas/api/totals'
import { type GpuStore, isCloudRead, numberAt, UNKNOWN } from './gpu-store'

/** `totals` are vGPUs, `passthrough` whole GPUs. */
export type GpuSums = UnitTotals & {
  /** pGPUs of both units. */
  pgpus: number
  hosts: number
  /** pGPUs that orphans lock. */
  pgpusWithOrphans: number
  /** pGPUs on hosts that do not report. */
  silent: number
}

/** Hosts of a list that do not report, with the moment of their last report or heartbeat (ISO 8601 UTC); null: never. */
export type SilentHosts = ReadonlyMap<string, string | null>

type SumTerms = { silentHosts: SilentHosts; start?: number; end?: number }

/** 1 for each host of the store that does not report. */
const silentMask = ({ data }: GpuStore, silentHosts: SilentHosts): Uint8Array =>
  Uint8Array.from(data.hosts, (host) => (silentHosts.has(host) ? 1 : 0))

/** Puts a row of the list into `pgpu`, which is used for all rows: 80,000 objects take six times as long. */
const readPgpu = ({ columns }: GpuStore, row: number, pgpu: TalliedPgpu): void => {
  pgpu.capacity = numberAt(columns.capacity, row)
  pgpu.used = numberAt(columns.used, row)
  pgpu.spare = numberAt(columns.spare, row)
  pgpu.orphan = numberAt(columns.orphan, row)
  pgpu.returning = numberAt(columns.returning, row)
  pgpu.creatable = numberAt(columns.creatable, row)
  pgpu.stranded = numberAt(columns.stranded, row)
  pgpu.reasonIndex = columns.reasonIndex[row] ?? UNKNOWN
  pgpu.strandedReasonIndex = columns.strandedReasonIndex[row] ?? UNKNOWN
}

const blankPgpu = (store: GpuStore): TalliedPgpu => ({
  capacity: null,
  used: null,
  spare: null,
  orphan: null,
  returning: null,
  creatable: null,
  stranded: null,
  isPassthrough: false,
  isCloudRead: isCloudRead(store),
  silentHost: null,
  reasonIndex: UNKNOWN,
  strandedReasonIndex: UNKNOWN,
})

const describeSums = ({ data }: GpuStore, tally: FleetTally, silentHosts: SilentHosts): UnitTotals =>
  describeTotals(tally, {
    reasonAt: (index) => data.reasons[index],
    strandedReasonAt: (index) => data.strandedReasons[index],
    seenAtOf: (host) => silentHosts.get(data.hosts[host] ?? '') ?? null,
  })

/** The fleet totals over rows from `start` to before `end`. */
export const sumGpus = (
  store: GpuStore,
  rows: Int32Array,
  { silentHosts, start = 0, end = rows.length }: SumTerms,
): GpuSums => {
  const { data, columns } = store
  const passthrough = data.frameworks.indexOf('passthrough')
  const isSilent = silentMask(store, silentHosts)
  const isSeen = new Uint8Array(data.hosts.length)
  const tally = emptyTally()
  const pgpu = blankPgpu(store)
  let [hosts, silent, pgpusWithOrphans] = [0, 0, 0]
  for (let at = start; at < end; at++) {
    const row = rows[at] ?? 0
    const host = columns.hostIndex[row] ?? 0
    if (isSeen[host] === 0) hosts += 1
    isSeen[host] = 1
    readPgpu(store, row, pgpu)
    pgpu.isPassthrough = passthrough !== -1 && columns.frameworkIndex[row] === passthrough
    pgpu.silentHost = isSilent[host] === 1 ? host : null
    if (pgpu.silentHost !== null) silent += 1
    if ((pgpu.orphan ?? 0) > 0) pgpusWithOrphans += 1
    addPgpu(tally, pgpu)
  }
  return { ...describeSums(store, tally, silentHosts), pgpus: end - start, hosts, pgpusWithOrphans, silent }
}
