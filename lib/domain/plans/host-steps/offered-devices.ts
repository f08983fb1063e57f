import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { aliasTakes, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import type { FlavorHosts } from './preview'

/** Devices that aliases cannot distinguish, and the hosts that assign them. */
export type OfferedDevices = { offer: PciOffer; hosts: ReadonlySet<string> }

/** Equal offers once, so that an alias is compared with a few of them instead of with each VF of the cloud. */
export const groupOffers = (devices: Iterable<{ host: string; offer: PciOffer }>): OfferedDevices[] => {
  const found = new Map<string, { offer: PciOffer; hosts: Set<string> }>()
  for (const { host, offer } of devices) {
    const text = JSON.stringify(offer)
    const held = found.get(text) ?? { offer, hosts: new Set() }
    held.hosts.add(host)
    found.set(text, held)
  }
  return [...found.values()]
}

/** Hosts that assign a device which one of the aliases takes for sure. */
export const countOfferingHosts = (
  offered: readonly OfferedDevices[],
  aliases: readonly PciAlias[],
): number => {
  const hosts = offered
    .filter(({ offer }) => aliases.some((alias) => aliasTakes(alias, offer) === true))
    .flatMap((one) => [...one.hosts])
  return new Set(hosts).size
}

type Counts = Pick<FlavorHosts, 'before' | 'after'>

/** Flavors that request devices by an alias, where the number of hosts that assign such a device changes. */
export const aliasFlavors = (fleet: Fleet, countHosts: (alias: string) => Counts): FlavorHosts[] => {
  const counts = new Map<string, Counts>()
  const countOnce = (alias: string): Counts => {
    const held = counts.get(alias) ?? countHosts(alias)
    counts.set(alias, held)
    return held
  }
  return (fleet.input.facts.flavors.value ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .flatMap((flavor): FlavorHosts[] => {
      const [alias] = readFlavorRequest(flavor).aliases
      if (alias === undefined) return []
      const hosts = countOnce(alias.name)
      return hosts.before === hosts.after ? [] : [{ flavorId: flavor.id, name: flavor.name, ...hosts }]
    })
}
