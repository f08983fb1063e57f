import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import type { Flavor } from '@/lib/domain/cloud/types'
import { freeOfDevice } from '@/lib/domain/fit/alias-supply'
import { countFits } from '@/lib/domain/fit/count-fits'
import { type FlavorLike, type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { hostProblem, slotNeeds } from '@/lib/domain/fit/host-problem'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import { type PciAlias, readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'

/** Whether servers of a flavor get a GPU in this cloud. */
export const isGpuFlavor = (fleet: Fleet, flavor: FlavorLike): boolean =>
  requestsGpu(fleet, readFlavorRequest(flavor))

/** Enabled flavors whose servers get a GPU. */
export const gpuFlavorsOf = (fleet: Fleet): Flavor[] =>
  (fleet.input.facts.flavors.value ?? []).filter((flavor) => !flavor.isDisabled && isGpuFlavor(fleet, flavor))

/** By the very fleet: every host asks for the aliases of all in a round. */
const remembered = new WeakMap<Fleet, PciAlias[]>()

const aliasesOf = (fleet: Fleet): PciAlias[] => {
  const held =
    remembered.get(fleet) ??
    fleet.hosts.flatMap(({ host }) =>
      host.inventory.novaConfig === null ? [] : readPciAliases(host.inventory.novaConfig),
    )
  remembered.set(fleet, held)
  return held
}

/** An alias by the host's own nova.conf, else by that of any other host. */
const entriesOf = (fleet: Fleet, joined: JoinedHost, name: string): PciAlias[] => {
  const config = joined.host.inventory.novaConfig
  const own = config === null ? [] : readPciAliases(config).filter((alias) => alias.name === name)
  return own.length > 0 ? own : aliasesOf(fleet).filter((alias) => alias.name === name)
}

/** What is free of each card that an alias assigns whole, and of each VF with a vGPU. */
const devicesOf = (fleet: Fleet, joined: JoinedHost, name: string): { address: string; free: Known }[] => {
  const aliases = entriesOf(fleet, joined, name)
  return handedOutDevices(joined)
    .filter(({ offer }) => aliases.some((alias) => aliasTakes(alias, offer) !== false))
    .map((device) => ({ address: device.address, free: freeOfDevice(device) }))
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
 * Servers of a GPU flavor that a host's free GPUs alone would take, were CPU, memory and disk without end. Null: none of
 * its GPUs is of the kind that the flavor asks for.
 */
export const serversByGpus = (fleet: Fleet, joined: JoinedHost, flavor: FlavorLike): Known | null => {
  const request = readFlavorRequest(flavor)
  const needs = slotNeeds(request)
  if (needs.length === 0) {
    const { servers, devices } = deviceServers(fleet, joined, request.aliases)
    return devices.length === 0 ? null : servers
  }
  const { problem, unknownCard } = hostProblem({
    joined,
    needs,
    room: Number.MAX_SAFE_INTEGER,
    isIsolated: request.groupPolicy === 'isolate',
  })
  if (problem.slots.some(({ eligible }) => eligible.size === 0)) return null
  if (unknownCard !== null) return unknown(unknownCard)
  return known(countFits(problem).count)
}
