import type { Cloud } from '@/simulator/openstack/cloud'
import { deviceInventory } from '@/simulator/openstack/compute/root-inventory'
import { dropConsumer, putConsumer } from '@/simulator/openstack/placement/change-allocations'
import {
  addProvider,
  replaceInventories,
  replaceTraits,
} from '@/simulator/openstack/placement/change-providers'
import type { Provider } from '@/simulator/openstack/placement/placement-state'
import { uuidFrom } from '@/simulator/random/uuid-from'

const withoutCustom = ({ traits }: Provider): Set<string> =>
  new Set([...traits].filter((name) => !name.startsWith('CUSTOM_')))

/**
 * What goes wrong in a cloud of this age, by the number of the host, so that a cloud of twice the hosts has twice the findings:
 * stale providers, lost and wrong traits, allocations without a server, servers without an allocation, dead and disabled
 * nova-computes.
 */
export const breakProviders = (cloud: Cloud): void => {
  const { placement, nova, handTagged } = cloud
  const devices = new Map<string, Provider[]>()
  for (const provider of placement.providers.values()) {
    if (provider.parentUuid === null) continue
    devices.set(provider.rootUuid, [...(devices.get(provider.rootUuid) ?? []), provider])
  }
  const serversOf = new Map<string, string[]>()
  for (const { uuid, host } of nova.servers.values())
    serversOf.set(host ?? '', [...(serversOf.get(host ?? '') ?? []), uuid])
  nova.computes.forEach((compute, index) => {
    const [first, second] = devices.get(compute.uuid) ?? []
    const [server, other] = serversOf.get(compute.host) ?? []
    if (index % 8 === 2 && first !== undefined) {
      replaceTraits(first, withoutCustom(first))
      handTagged.add(first.name)
    }
    if (index % 9 === 4 && second !== undefined) {
      const trait = 'CUSTOM_NVIDIA_A40_48Q'
      placement.customTraits.add(trait)
      replaceTraits(second, new Set([...withoutCustom(second), trait]))
      handTagged.add(second.name)
    }
    if (index % 4 === 0) {
      const name = `${compute.hypervisorHostname}_pci_0000_fe_00_0`
      const stale = addProvider(placement, {
        uuid: uuidFrom(`stale ${name}`),
        name,
        parentUuid: compute.uuid,
      })
      replaceInventories(placement, stale, new Map([['VGPU', deviceInventory(4)]]))
    }
    if (index % 5 === 4 && server !== undefined) {
      const held = placement.consumers.get(server)
      if (held !== undefined) putConsumer(placement, { ...held, uuid: uuidFrom(`gone ${server}`) })
    }
    if (index % 7 === 6 && other !== undefined) dropConsumer(placement, other)
    if (index % 30 === 7) Object.assign(compute, { isDown: true })
    if (index % 25 === 11) Object.assign(compute, { isDisabled: true, disabledReason: 'maintenance' })
  })
}
