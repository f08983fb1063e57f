import type { Arranged, GpuGroup, Grouping } from './arrange-gpus'
import { entryCount } from './entry-count'
import { type GpuStore, numberAt } from './gpu-store'
import { type GpuSums, type SilentHosts, sumGpus } from './sum-gpus'

/** The figures in the heading of a group. */
export type GroupFigures = {
  sums: GpuSums
  /** Memory of the group's cards when they all have the same. */
  memoryMib: number | null
  /** pGPUs of the group without the filter. */
  total: number
}

const memoryOf = (store: GpuStore, rows: Int32Array, { start, end }: GpuGroup): number | null => {
  const column = store.columns.framebufferMib
  const first = numberAt(column, rows[start] ?? -1)
  for (let position = start; position < end; position++) {
    if (numberAt(column, rows[position] ?? -1) !== first) return null
  }
  return first
}

/** Sums over the rows of one group. */
export const groupFigures = (
  store: GpuStore,
  { rows }: Arranged,
  { group, grouping, silentHosts }: { group: GpuGroup; grouping: Grouping; silentHosts: SilentHosts },
): GroupFigures => ({
  sums: sumGpus(store, rows, { silentHosts, start: group.start, end: group.end }),
  memoryMib: grouping === 'model' ? memoryOf(store, rows, group) : null,
  total: entryCount(store, grouping, group.entry),
})
