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

const NO_GPUS: readonly GpuDevice[] = []

/** Null: they are other devices now. */
const changedGpus = (
  before: readonly GpuDevice[],
  after: readonly GpuDevice[],
): readonly GpuDevice[] | null => {
  if (before === after) return NO_GPUS
  if (before.length !== after.length) return null
  const gpus: GpuDevice[] = []
  let place = 0
  for (const gpu of after) {
    const last = before[place]
    place += 1
    if (last === gpu) continue
    if (last === undefined || !isSameLayout(last, gpu)) return null
    gpus.push(gpu)
  }
  return gpus
}

const NONE: readonly never[] = []

/**
 * How one inventory became another. Entries count as unchanged when they are the very same objects. Null: the host has other
 * devices now.
 */
export const hostChange = (before: Inventory, after: Inventory): HostChange | null => {
  const gpus = changedGpus(before.gpus, after.gpus)
  if (gpus === null) return null
  return {
    gpus,
    mdevs: listChange(before.mdevs ?? NONE, after.mdevs ?? NONE),
    guests: listChange(before.guests ?? NONE, after.guests ?? NONE),
    smiGpus: listChange(before.nvidiaSmi?.gpus ?? NONE, after.nvidiaSmi?.gpus ?? NONE),
  }
}
