import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { groupBy } from '@/lib/domain/cloud/match-host'
import type { Flavor } from '@/lib/domain/cloud/types'
import { freeOfDevice } from '@/lib/domain/fit/alias-supply'
import { countDevices, type DeviceGroup, deviceGroup, emptyDevices } from '@/lib/domain/fit/count-devices'
import { type FlavorLike, type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { slotNeeds } from '@/lib/domain/fit/host-problem'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import { type PciAlias, readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { oncePer } from '@/lib/util/once-per'

/** Whether servers of a flavor get a GPU in this cloud. */
export const isGpuFlavor = (fleet: Fleet, flavor: FlavorLike): boolean =>
  requestsGpu(fleet, readFlavorRequest(flavor))

/** Enabled flavors whose servers get a GPU. */
export const gpuFlavorsOf = oncePer((fleet: Fleet): readonly Flavor[] =>
  (fleet.input.facts.flavors.value ?? []).filter(
    (flavor) => !flavor.isDisabled && isGpuFlavor(fleet, flavor),
  ),
)

const servedByGroup = oncePer((_: Fleet) => new Map<DeviceGroup, readonly Flavor[]>())

/** GPU flavors whose classes and traits a host has, and those with an alias if the host passes devices through. */
export const flavorsForHost = (fleet: Fleet, joined: JoinedHost): readonly Flavor[] => {
  const served = servedByGroup(fleet)
  const hasDevices = handedOutDevices(joined).length > 0
  const group = deviceGroup(fleet, emptyDevices(joined))
  const flavors =
    served.get(group) ??
    gpuFlavorsOf(fleet).filter((flavor) => {
      const request = readFlavorRequest(flavor)
      return slotNeeds(request).length === 0 || countDevices(fleet, group.devices, request).isServed
    })
  served.set(group, flavors)
  return hasDevices ? flavors : flavors.filter((flavor) => slotNeeds(readFlavorRequest(flavor)).length > 0)
}

const aliasesOfHost = oncePer(({ host: { inventory } }: JoinedHost): readonly PciAlias[] =>
  inventory.novaConfig === null ? [] : readPciAliases(inventory.novaConfig),
)

const aliasesOf = oncePer(
  (fleet: Fleet): ReadonlyMap<string, readonly PciAlias[]> =>
    groupBy(fleet.hosts.flatMap(aliasesOfHost), ({ name }) => name),
)

/** An alias by the host's own nova.conf, else by that of any other host. */
const entriesOf = (fleet: Fleet, joined: JoinedHost, name: string): readonly PciAlias[] => {
  const own = aliasesOfHost(joined).filter((alias) => alias.name === name)
  return own.length > 0 ? own : (aliasesOf(fleet).get(name) ?? [])
}

type FreeDevice = { address: string; free: Known }

/** Hundreds of flavors name the same few aliases. */
const devicesByAlias = oncePer((_: Fleet) =>
  oncePer((_: JoinedHost) => new Map<string, readonly FreeDevice[]>()),
)

/** What is free of each card that an alias assigns whole, and of each VF with a vGPU. */
const devicesOf = (fleet: Fleet, joined: JoinedHost, name: string): readonly FreeDevice[] => {
  const byAlias = devicesByAlias(fleet)(joined)
  const held = byAlias.get(name)
  if (held !== undefined) return held
  const aliases = entriesOf(fleet, joined, name)
  const devices = handedOutDevices(joined)
    .filter(({ offer }) => aliases.some((alias) => aliasTakes(alias, offer) !== false))
    .map((device) => ({ address: device.address, free: freeOfDevice(device) }))
  byAlias.set(name, devices)
  return devices
}

const deviceServers = (
  fleet: Fleet,
  joined: JoinedHost,
  aliases: FlavorRequest['aliases'],
): { servers: Known; devices: string[] } => {
  const counts = aliases.map(({ name, count }) => {
    const devices = devicesOf(fleet, joined, name)
    const free = devices.map((device) => device.free)
    const gap = free.find(({ value }) => value === null)
    const sum = free.reduce((total, { value }) => total + (value ?? 0), 0)
    return {
      servers: gap?.value === null ? unknown(gap.reason) : known(Math.floor(sum / Math.max(1, count))),
      devices,
    }
  })
  const gap = counts.find(({ servers }) => servers.value === null)?.servers
  return {
    servers: gap ?? known(Math.min(...counts.map(({ servers }) => servers.value ?? 0))),
    devices: counts.flatMap(({ devices }) => devices.map(({ address }) => address)),
  }
}

/**
 * Servers of a GPU flavor that a host's free GPUs would take with unlimited CPU, memory and disk. Null: none of its GPUs
 * is of the kind that the flavor requests.
 */
export const serversByGpus = (fleet: Fleet, joined: JoinedHost, flavor: FlavorLike): Known | null => {
  const request = readFlavorRequest(flavor)
  if (slotNeeds(request).length === 0) {
    const { servers, devices } = deviceServers(fleet, joined, request.aliases)
    return devices.length === 0 ? null : servers
  }
  const { isServed, unknownCard, surely } = countDevices(fleet, joined, request)
  if (!isServed) return null
  return unknownCard === null ? known(surely.count) : unknown(unknownCard)
}
