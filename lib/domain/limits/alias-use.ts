import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { requestOfExtraSpecs } from '@/lib/domain/fit/flavor-request'
import { novaHas } from '@/lib/domain/nova-config/nova-releases'
import { naturalOrder } from '@/lib/util/natural-order'

/** Devices that servers of a project hold by a PCI alias, on hosts with GPUs. */
export type AliasUse = { projectId: string; alias: string; devices: number; servers: number }

/**
 * Whether Nova counts a GPU that a flavor requests by an alias before it creates the server; null: its release is
 * unknown.
 */
export const areAliasesCounted = (novaVersion: string | null): boolean | null =>
  novaHas(novaVersion, 'limitsCountAliases')

/** By project and alias; null: Nova's servers were never read. Reads the copy of the flavor that each server carries. */
export const aliasUse = (fleet: Fleet): AliasUse[] | null => {
  const servers = fleet.input.facts.servers.value
  if (servers === null) return null
  const found = new Map<string, AliasUse>()
  for (const { projectId, extraSpecs } of servers) {
    const { aliases } = requestOfExtraSpecs(extraSpecs)
    for (const { name, count } of aliases) {
      const key = `${projectId} ${name}`
      const held = found.get(key) ?? { projectId, alias: name, devices: 0, servers: 0 }
      found.set(key, { ...held, devices: held.devices + count, servers: held.servers + 1 })
    }
  }
  return [...found.values()].toSorted((a, b) => naturalOrder(a.alias, b.alias) || b.devices - a.devices)
}
