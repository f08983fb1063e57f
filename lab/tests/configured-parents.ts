import { readNovaView } from '@/lib/domain/nova-config/nova-view'
import type { Inventory } from '@/lib/schemas/agent/inventory'

/** The mdev parents that nova.conf gives a type, with what Nova counts there: mdevs of the type, and how many more fit. */
export const configuredParents = (
  inventory: Inventory,
): { address: string; made: number; available: number }[] => {
  const { vgpuTypes, gpus, mdevs } = inventory
  const byAddress = readNovaView(inventory)?.assignment.byAddress ?? new Map()
  const parents = gpus.flatMap((gpu) => [gpu, ...gpu.virtualFunctions])
  return [...byAddress].map(([address, { typeId }]) => {
    const types = parents.find((parent) => parent.address === address)?.mdevTypes ?? []
    const found = types.find(([index]) => vgpuTypes[index]?.typeId === typeId)
    const made = (mdevs ?? []).filter(
      (mdev) => mdev.isActive && mdev.parent === address && mdev.typeId === typeId,
    )
    return { address, made: made.length, available: found?.[1] ?? 0 }
  })
}
