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

const byDevices = (a: AliasUse, b: AliasUse): number => b.devices - a.devices

/**
 * By project and alias, the `max` with most devices; `total`: how many there are. Null: Nova's servers were never read. Reads the
 * copy of the flavor that each server carries.
 */
export const aliasUse = (fleet: Fleet, max: number): { uses: AliasUse[]; total: number } | null => {
  const servers = fleet.input.facts.servers.value
  if (servers === null) return null
  const found = new Map<string, AliasUse>()
  for (const { projectId, extraSpecs } of servers) {
    for (const { name, count } of requestOfExtraSpecs(extraSpecs).aliases) {
      const key = `${projectId} ${name}`
      const held = found.get(key) ?? { projectId, alias: name, devices: 0, servers: 0 }
      found.set(key, { ...held, devices: held.devices + count, servers: held.servers + 1 })
    }
  }
  const uses = [...found.values()].toSorted(byDevices).slice(0, max)
  return {
    uses: uses.toSorted((a, b) => naturalOrder(a.alias, b.alias) || byDevices(a, b)),
    total: found.size,
  }
}
