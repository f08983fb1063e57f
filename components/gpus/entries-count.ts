import type { Grouping } from './arrange-gpus'
import { type GpuStore, UNKNOWN } from './gpu-store'

/** pGPUs of each group without any filter: "8 of 32 shown". The key is the dictionary's index, null without one. */
export const entriesCount = ({ columns }: GpuStore, grouping: Grouping): Map<number | null, number> => {
  const counts = new Map<number | null, number>()
  if (grouping === 'none') return counts
  const column = {
    model: columns.modelIndex,
    host: columns.hostIndex,
    type: columns.typeIndex,
    aggregate: columns.aggregateSetIndex,
  }[grouping]
  for (const index of column) {
    const entry = index === UNKNOWN ? null : index
    counts.set(entry, (counts.get(entry) ?? 0) + 1)
  }
  return counts
}
