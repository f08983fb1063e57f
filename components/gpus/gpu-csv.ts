import { cellCounts } from '@/components/gpu/bar-cells'
import { type GpuRow, type GpuStore, gpuRowAt } from '@/lib/domain/gpu-list/gpu-store'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

type Cell = string | number | null

/** Places that can't be made now; unknown as soon as one number that decides it is. */
const lockedOf = (row: GpuRow): number | null => {
  const { used, spare, orphan, creatable } = row
  if (used === null || spare === null || orphan === null || creatable === null) return null
  return cellCounts(row)?.locked ?? null
}

/** Empty is not known, so a host that is known to be in none says so. */
const aggregateField = (aggregates: GpuRow['aggregates']): string | null => {
  if (aggregates === null) return null
  return aggregates.length === 0 ? 'none' : aggregates.join(';')
}

const COLUMNS: readonly (readonly [string, (row: GpuRow) => Cell])[] = [
  ['host', ({ host }) => host],
  ['pci_address', ({ address }) => address],
  ['model', ({ model }) => model],
  ['framework', ({ framework }) => framework],
  ['vgpu_type', ({ type }) => type?.shortName ?? null],
  ['vgpu_type_id', ({ type }) => type?.typeId ?? null],
  ['numa_node', ({ numaNode }) => numaNode],
  ['framebuffer_mib', ({ framebufferMib }) => framebufferMib],
  ['capacity', ({ capacity }) => capacity],
  ['used', ({ used }) => used],
  ['spare', ({ spare }) => spare],
  ['orphan', ({ orphan }) => orphan],
  ['returning', ({ returning }) => returning],
  ['creatable', ({ creatable }) => creatable],
  ['locked', (row) => lockedOf(row)],
  ['unknown_reason', ({ reason }) => reason],
  ['finding', ({ finding }) => finding?.sentence ?? null],
  ['advertised', ({ advertised }) => advertised],
  ['advertised_used', ({ advertisedUsed }) => advertisedUsed],
  ['stranded', ({ stranded }) => stranded],
  ['service', ({ service }) => (service === 'unknown' ? null : service)],
  ['aggregates', ({ aggregates }) => aggregateField(aggregates)],
]

/** The rows in the order in which they are shown. An unknown number is an empty field, never a zero. */
export const gpuCsv = (
  store: GpuStore,
  rows: Iterable<number>,
  { silentHosts }: { silentHosts: ReadonlyMap<string, string | null> },
): Encoded<'csv'> => {
  const head = ['cloud', ...COLUMNS.map(([name]) => name), 'host_silent', 'host_silent_since']
  const lines: Cell[][] = [head]
  for (const place of rows) {
    const row = gpuRowAt(store, place)
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
