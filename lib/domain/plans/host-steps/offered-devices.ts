import { aliasTakes, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'

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
