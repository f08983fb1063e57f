import type { GpuDevice, Guest, Inventory, Mdev, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { isSameLayout } from './card-places'
import { type ListChange, listChange } from './list-change'

/** What of a host's inventory differs from its last one beside the parts that every card looks at. */
export type HostChange = {
  /** As they are now. */
  gpus: readonly GpuDevice[]
  mdevs: ListChange<Mdev>
  guests: ListChange<Guest>
  smiGpus: ListChange<NvidiaSmi['gpus'][number]>
}

/**
 * How one inventory became another. Entries count as unchanged when they are the very same objects. Null: the host has other
 * devices now.
 */
export const hostChange = (before: Inventory, after: Inventory): HostChange | null => {
  if (before.gpus.length !== after.gpus.length) return null
  const gpus: GpuDevice[] = []
  let place = 0
  for (const gpu of after.gpus) {
    const last = before.gpus[place]
    place += 1
    if (last === gpu) continue
    if (last === undefined || !isSameLayout(last, gpu)) return null
    gpus.push(gpu)
  }
  return {
    gpus,
    mdevs: listChange(before.mdevs ?? [], after.mdevs ?? []),
    guests: listChange(before.guests ?? [], after.guests ?? []),
    smiGpus: listChange(before.nvidiaSmi?.gpus ?? [], after.nvidiaSmi?.gpus ?? []),
  }
}
