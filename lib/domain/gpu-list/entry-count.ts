import type { Grouping } from './arrange-gpus'
import type { GpuStore } from './gpu-store'

/** pGPUs of a group without any filter: "8 of 32 shown". `entry` is the dictionary's index, null without one. */
export const entryCount = ({ sizes, count }: GpuStore, grouping: Grouping, entry: number | null): number => {
  if (grouping === 'none') return count
  const own = { model: sizes.model, host: sizes.host, type: sizes.type, aggregate: sizes.aggregateSet }[
    grouping
  ]
  return entry === null ? count - own.reduce((sum, size) => sum + size, 0) : (own[entry] ?? 0)
}
