import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor, Server } from '@/lib/domain/cloud/types'
import { oncePer } from '@/lib/util/once-per'

const byFlavorName = oncePer((fleet: Fleet): ReadonlyMap<string, readonly Server[]> => {
  const byName = new Map<string, Server[]>()
  for (const server of fleet.input.facts.servers.value ?? []) {
    if (server.flavorName === null) continue
    const servers = byName.get(server.flavorName) ?? []
    servers.push(server)
    byName.set(server.flavorName, servers)
  }
  return byName
})

/**
 * Servers that were created from a flavor, by the name in the copy that each has; null if servers were never read. Those
 * on hosts without a GPU are not read. A flavor that was deleted and recreated under the same name is not distinguished.
 */
export const serversOfFlavor = (fleet: Fleet, { name }: Pick<Flavor, 'name'>): readonly Server[] | null =>
  fleet.input.facts.servers.value === null ? null : (byFlavorName(fleet).get(name) ?? [])

/** Whether a server's copy of the flavor is current; amounts and extra specs count, name and description do not. */
export const isCopyCurrent = (server: Server, flavor: Flavor): boolean => {
  const keys = new Set([...Object.keys(server.extraSpecs), ...Object.keys(flavor.extraSpecs)])
  return (
    [...keys].every((key) => server.extraSpecs[key] === flavor.extraSpecs[key]) &&
    (server.vcpus ?? flavor.vcpus) === flavor.vcpus &&
    (server.memoryMib ?? flavor.memoryMib) === flavor.memoryMib &&
    (server.diskGib ?? flavor.diskGib) === flavor.diskGib
  )
}
