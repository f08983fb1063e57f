import type { Fleet, GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { ResourceProvider, Server } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import type { FindingCommand } from '../finding'

/** osc-placement. From 1.38 on a write keeps the type of the consumer, and since 1.28 it fails when the allocations changed. */
const ALLOCATION = sh`openstack --os-placement-api-version 1.38 resource provider allocation`

/** Removes what a consumer holds of these providers, and keeps the rest, such as CPU and memory of a server. */
export const unsetAllocations = (
  consumerUuid: string,
  providers: readonly Pick<ResourceProvider, 'uuid'>[],
) =>
  sh`${ALLOCATION} unset ${joinEncoded(
    providers.map(({ uuid }) => shellOption(sh`--provider`, uuid)),
    ' ',
  )} ${shellOperands([consumerUuid])}`

/**
 * Moves a server to another host. Nova attaches there what Placement allocates (nova/virt/libvirt/driver.py
 * finish_migration); a hard reboot keeps the mdevs of the guest, those that are missing included.
 */
export const migrateServer = (uuid: string) =>
  sh`openstack server migrate --wait ${shellOperands([uuid])} && openstack server migration confirm ${shellOperands([uuid])}`

const allocationOption = (providerUuid: string, resources: readonly (readonly [string, number])[]) =>
  shellOption(
    sh`--allocation`,
    [`rp=${providerUuid}`, ...resources.map(([name, amount]) => `${name}=${amount}`)].join(','),
  )

/** What the guest of a server holds, by provider; null: a device cannot be attributed to a provider with one class. */
const heldOf = ({ host, pgpus }: JoinedHost, serverUuid: string): Map<GpuProvider, number> | null => {
  const guest = host.inventory.guests?.find(({ uuid }) => uuid === serverUuid)
  const providers = pgpus.flatMap((entry) => entry.providers)
  const parents = new Map((host.inventory.mdevs ?? []).map(({ uuid, parent }) => [uuid, parent]))
  const held = new Map<GpuProvider, number>()
  const devices = [
    ...(guest?.mdevs ?? []).map(({ uuid }) => ({ kind: 'mdev', address: parents.get(uuid) })),
    ...(guest?.pciDevices ?? [])
      .filter(({ address }) => pgpus.some(({ functions }) => functions.includes(address)))
      .map(({ address }) => ({ kind: 'pci', address })),
  ]
  for (const device of devices) {
    const found = providers.find(({ kind, address }) => kind === device.kind && address === device.address)
    if (found === undefined || Object.keys(found.provider.inventories ?? {}).length !== 1) return null
    held.set(found, (held.get(found) ?? 0) + 1)
  }
  return held.size === 0 ? null : held
}

/** What the flavor of a server takes of its compute node, by the classes that the node has. */
const takenOfNode = (root: ResourceProvider, server: Server): [string, number][] => {
  const { vcpus, memoryMib, diskGib, extraSpecs } = server
  if (vcpus === null || memoryMib === null || diskGib === null) return []
  const request = readFlavorRequest({ vcpus, memoryMib, diskGib, ephemeralGib: 0, swapMib: 0, extraSpecs })
  const plain = request.groups.find(({ suffix }) => suffix === '')
  return Object.entries(plain?.resources ?? {}).filter(([name]) => root.inventories?.[name] !== undefined)
}

/**
 * Allocates to a server what its guest holds. The command replaces all allocations of a consumer, so it repeats those that the
 * server has; one without any gets those of its flavor on the compute node. Null: not all of it is known.
 */
export const allocateHeld = (joined: JoinedHost, server: Server): FindingCommand | null => {
  const root = joined.root.value
  const held = heldOf(joined, server.uuid)
  if (root === null || held === null || server.userId === null) return null
  const taken = takenOfNode(root, server)
  if (taken.length === 0) return null
  const id = shellOperands([server.uuid])
  const current = sh`${ALLOCATION} show -f value -c resource_provider -c resources ${id} | sed "s/ /,/; s/[{}' ]//g; s/:/=/g; s/^/--allocation rp=/" | grep . || echo ${allocationOption(root.uuid, taken)}`
  const gpus = [...held].map(([{ provider }, amount]) =>
    allocationOption(provider.uuid, [[Object.keys(provider.inventories ?? {})[0] ?? '', amount]]),
  )
  return sh`${ALLOCATION} set ${shellOption(sh`--project-id`, server.projectId)} ${shellOption(sh`--user-id`, server.userId)} --consumer-type INSTANCE $(${current}) ${joinEncoded(gpus, ' ')} ${id}`
}

/** Whether a consumer of a provider is a server that runs on the host. */
export const isServerHere = (fleet: Fleet, joined: JoinedHost, consumerUuid: string): boolean => {
  const host = fleet.servers.get(consumerUuid)?.host?.toLowerCase()
  return host !== undefined && host === (joined.service.value?.host ?? joined.host.name).toLowerCase()
}
