import { divideCapacity, emptyParts, type PgpuParts } from '@/lib/domain/fleet/divide-capacity'
import { blockedOf } from '@/lib/domain/fleet/totals'
import { type GpuRow, type GpuStore, gpuRowAt, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

type Cell = string | number | null

/** A row with its capacity divided as in the fleet totals; `parts` null: the capacity is unknown, so the row is in no total. */
type CsvRow = GpuRow & { parts: PgpuParts | null }

/** A number of the row that is known, as the totals count it. */
const counted = (row: CsvRow, name: 'used' | 'spare'): Cell =>
  row[name] === null || row.parts === null ? row[name] : row.parts[name]

/** Empty means unknown, so a host without aggregates has an explicit text. */
const aggregateField = (aggregates: GpuRow['aggregates']): string | null => {
  if (aggregates === null) return null
  return aggregates.length === 0 ? 'none' : aggregates.join(';')
}

const COLUMNS: readonly (readonly [string, (row: CsvRow) => Cell])[] = [
  ['host', ({ host }) => host],
  ['pci_address', ({ address }) => address],
  ['model', ({ model }) => model],
  ['framework', ({ framework }) => framework],
  ['vgpu_type', ({ type }) => type?.shortName ?? null],
  ['vgpu_type_id', ({ type }) => type?.typeId ?? null],
  ['numa_node', ({ numaNode }) => numaNode],
  ['framebuffer_mib', ({ framebufferMib }) => framebufferMib],
  ['unit', ({ framework }) => (framework === 'passthrough' ? 'passthrough' : 'vgpu')],
  ['capacity', ({ parts }) => parts?.capacity ?? null],
  ['used', (row) => counted(row, 'used')],
  ['spare', (row) => counted(row, 'spare')],
  ['free', ({ parts, creatable }) => (parts === null || creatable === null ? null : parts.free)],
  ['blocked', ({ parts }) => (parts === null ? null : blockedOf(parts))],
  ['unknown', ({ parts }) => parts?.unknown ?? null],
  ['orphan', ({ orphan }) => orphan],
  ['returning', ({ returning }) => returning],
  ['creatable', ({ creatable }) => creatable],
  ['locked', ({ parts }) => parts?.locked ?? null],
  ['unknown_reason', ({ reason }) => reason],
  ['finding', ({ finding }) => finding?.sentence ?? null],
  ['advertised', ({ advertised }) => advertised],
  ['advertised_used', ({ advertisedUsed }) => advertisedUsed],
  ['stranded', ({ stranded }) => stranded],
  ['stranded_reason', ({ strandedReason }) => strandedReason],
  ['service', ({ service }) => (service === 'unknown' ? null : service)],
  ['aggregates', ({ aggregates }) => aggregateField(aggregates)],
]

const csvRow = (store: GpuStore, place: number): CsvRow => {
  const row = gpuRowAt(store, place)
  return { ...row, parts: divideCapacity(row, isCloudRead(store), emptyParts()) }
}

/** The rows in the order in which they are shown. An unknown number is an empty field, never a zero. */
export const gpuCsv = (
  store: GpuStore,
  rows: Iterable<number>,
  { silentHosts }: { silentHosts: ReadonlyMap<string, string | null> },
): Encoded<'csv'> => {
  const head = ['cloud', ...COLUMNS.map(([name]) => name), 'host_silent', 'host_silent_since']
  const lines: Cell[][] = [head]
  for (const place of rows) {
    const row = csvRow(store, place)
    const isSilent = silentHosts.has(row.host)
    const fields: Cell[] = [
      store.data.cloud,
      ...COLUMNS.map(([, read]) => read(row)),
      isSilent ? 'yes' : 'no',
      isSilent ? (silentHosts.get(row.host) ?? null) : null,
    ]
    lines.push(fields)
  }
  return csvText(lines)
}
