import { divideCapacity, emptyParts } from '@/lib/domain/fleet/divide-capacity'
import { type GpuStore, gpuRowAt, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuCsvRow } from './gpu-columns'

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
      parts: divideCapacity(row, isCloudRead(store), emptyParts()),
      silentSince: silentHosts.get(row.host),
    }
  })
