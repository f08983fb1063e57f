import type { Arranged, GpuGroup, Grouping } from './arrange-gpus'
import { entryCount } from './entry-count'
import { type GpuStore, numberAt } from './gpu-store'
import { type GpuSums, sumGpus } from './sum-gpus'

/** What the heading of a group says. */
export type GroupFigures = {
  sums: GpuSums
  /** Memory of the group's cards when they all have the same. */
  memoryMib: number | null
  /** pGPUs of the group without the filter. */
  total: number
  /** What its sums count. */
  unit: 'vgpu' | 'card' | 'both'
}

/** Cards that are handed out whole are counted as cards. */
const unitOf = (
  { data, columns }: GpuStore,
  rows: Int32Array,
  { start, end }: GpuGroup,
): GroupFigures['unit'] => {
  const whole = data.frameworks.indexOf('passthrough')
  let cards = 0
  for (let place = start; place < end; place++) {
    if (whole !== -1 && columns.frameworkIndex[rows[place] ?? -1] === whole) cards += 1
  }
  return cards === 0 ? 'vgpu' : cards === end - start ? 'card' : 'both'
}

const memoryOf = (store: GpuStore, rows: Int32Array, { start, end }: GpuGroup): number | null => {
  const column = store.columns.framebufferMib
  const first = numberAt(column, rows[start] ?? -1)
  for (let place = start; place < end; place++) {
    if (numberAt(column, rows[place] ?? -1) !== first) return null
  }
  return first
}

/** Sums over the rows of one group. `isSilent` is 1 for each silent host of the store. */
export const groupFigures = (
  store: GpuStore,
  { rows }: Arranged,
  { group, grouping, isSilent }: { group: GpuGroup; grouping: Grouping; isSilent: Uint8Array },
): GroupFigures => ({
  sums: sumGpus(store, rows, { isSilent, start: group.start, end: group.end }),
  memoryMib: grouping === 'model' ? memoryOf(store, rows, group) : null,
  total: entryCount(store, grouping, group.entry),
  unit: unitOf(store, rows, group),
})
