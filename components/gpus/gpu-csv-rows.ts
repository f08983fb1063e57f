import { divideCapacity, emptyParts } from '@/lib/domain/fleet/divide-capacity'
import { blockedOf } from '@/lib/domain/fleet/totals'
import { type GpuRow, type GpuStore, gpuRowAt, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuCsvRow } from './gpu-columns'

const UNKNOWN = { capacity: null, free: null, blocked: null, unknown: null, locked: null }

/** Known numbers of the row are as the totals count them. */
const partsOf = (row: GpuRow, isRead: boolean): GpuCsvRow['parts'] => {
  const { used, spare, creatable } = row
  const parts = divideCapacity(row, isRead, emptyParts())
  if (parts === null) return { ...UNKNOWN, used, spare }
  return {
    capacity: parts.capacity,
    used: used === null ? null : parts.used,
    spare: spare === null ? null : parts.spare,
    free: creatable === null ? null : parts.free,
    blocked: blockedOf(parts),
    unknown: parts.unknown,
    locked: parts.locked,
  }
}

/** An empty field is unknown, so a host that is in no aggregate has `none`. */
const namesOf = (aggregates: GpuRow['aggregates']): string | null => {
  if (aggregates === null) return null
  return aggregates.length === 0 ? 'none' : aggregates.join(';')
}

/** Rows of the list for its CSV, in the given order. */
export const gpuCsvRows = (
  store: GpuStore,
  rows: Iterable<number>,
  silentHosts: ReadonlyMap<string, string | null>,
): GpuCsvRow[] =>
  Array.from(rows, (at) => {
    const row = gpuRowAt(store, at)
    return {
      ...row,
      parts: partsOf(row, isCloudRead(store)),
      aggregateNames: namesOf(row.aggregates),
      silentSince: silentHosts.get(row.host),
    }
  })
