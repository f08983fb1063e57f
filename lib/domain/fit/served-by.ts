import type { GpuProvider } from '@/lib/domain/cloud/fleet-types'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import type { FlavorRequest, ResourceGroup } from './flavor-request'

/** What of a flavor's request a GPU provider could serve; null when nothing, or when a trait forbids it. */
export type ServedAmount = { resourceClass: string; amount: number }

const hasTraits = (group: ResourceGroup, traits: ReadonlySet<string>): boolean =>
  group.required.every((trait) => traits.has(trait)) && group.forbidden.every((trait) => !traits.has(trait))

/**
 * Whether a GPU provider can serve a group of a request, without regard to use. A numbered group checks the traits of its
 * single provider. The traits of the unnumbered group are matched over all providers that serve it, so those of the root
 * count too.
 */
export const servedBy = (
  request: FlavorRequest,
  { provider }: GpuProvider,
  root: ResourceProvider | null,
): ServedAmount | null => {
  for (const group of request.groups) {
    const [resourceClass, amount] =
      Object.entries(group.resources).find(([name]) => provider.inventories?.[name] !== undefined) ?? []
    if (resourceClass === undefined || amount === undefined) continue
    const max = provider.inventories?.[resourceClass]?.maxUnit ?? amount
    const traits = new Set([...(provider.traits ?? []), ...(group.suffix === '' ? (root?.traits ?? []) : [])])
    if (amount <= max && hasTraits(group, traits)) return { resourceClass, amount }
  }
  return null
}

/** Servers of a request that the root provider's CPU, memory and disk still take; null when its inventory is not known. */
export const headroomOnRoot = (request: FlavorRequest, root: ResourceProvider): number | null => {
  if (root.inventories === null) return null
  const [plain] = request.groups
  let headroom = Number.POSITIVE_INFINITY
  for (const name of ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']) {
    const amount = plain?.resources[name] ?? 0
    if (amount === 0) continue
    const inventory = root.inventories[name]
    // Disk may stand on a sharing provider: without an inventory here it is not judged.
    if (inventory === undefined && name === 'DISK_GB') continue
    const free = inventory === undefined ? 0 : inventory.capacity - inventory.used
    const max = inventory?.maxUnit ?? amount
    headroom = Math.min(headroom, amount > max ? 0 : Math.floor(Math.max(0, free) / amount))
  }
  return headroom
}
