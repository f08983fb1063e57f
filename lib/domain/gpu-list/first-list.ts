import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'
import type { Arranged, GpuGroup, Grouping } from './arrange-gpus'
import { createGpuStore, type GpuStore } from './gpu-store'
import type { GroupFigures } from './group-figures'
import type { GpuSums } from './sum-gpus'

/**
 * The beginning of a list and the figures of the whole of it: what a page draws before the list itself has come, so that the
 * first rows do not wait for 80,000.
 */
export type FirstGpus = {
  /** The pGPUs of the first lines, in the order shown; with all names of models, types, frameworks and aggregates. */
  gpus: GpuColumns
  /** Of the whole fleet. */
  count: number
  hosts: number
  grouping: Grouping
  /** Of the whole fleet, by dictionary entry. */
  sizes: Record<keyof GpuStore['sizes'], number[]>
  /** What the filter lets through. */
  shown: number
  sums: GpuSums
  /** Those that begin in the first lines, and the next few; the last one goes to the end of the list. */
  groups: (GpuGroup & { figures: GroupFigures | null })[]
}

/** Placeholder in the rows of a first list for each pGPU that is not loaded yet. */
export const ON_ITS_WAY = -1

/** The first lines as a list: rows that have not come are `ON_ITS_WAY`, and take their place all the same. */
export const firstAsList = (first: FirstGpus): { store: GpuStore; arranged: Arranged } => {
  const rows = new Int32Array(first.shown).fill(ON_ITS_WAY)
  const store = createGpuStore(first.gpus)
  for (let row = 0; row < store.count; row++) rows[row] = row
  const sizes = {
    host: Int32Array.from(first.sizes.host),
    model: Int32Array.from(first.sizes.model),
    type: Int32Array.from(first.sizes.type),
    framework: Int32Array.from(first.sizes.framework),
    aggregateSet: Int32Array.from(first.sizes.aggregateSet),
  }
  return { store: { ...store, sizes, count: first.count }, arranged: { rows, groups: first.groups } }
}
