import { withNovaProcess } from '@/simulator/host/start-nova'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { uuidFrom } from '@/simulator/random/uuid-from'
import type { World } from '@/simulator/world/world'
import type { WorldHost } from '@/simulator/world/world-host'
import type { Cloud } from '../cloud'
import type { ApiError } from '../http/api-error'
import type { ComputeNode } from '../nova/nova-state'
import { addProvider, replaceInventories } from '../placement/change-providers'
import { CODES } from '../placement/codes'
import { providerNamed } from '../placement/placement-state'
import { hypervisorHostname, mdevProviderName } from './compute-host'
import { mixedPool } from './device-specs'
import { followServers, registerServer } from './follow-servers'
import { mdevTotals } from './mdev-totals'
import { refreshHost, tagProvider } from './refresh-host'
import { deviceInventory } from './root-inventory'
import { traitOfSlot } from './type-trait'

export type ComputeOptions = {
  cloud: Cloud
  world: World
  /** Hosts whose traits an operator sets by hand, so that they are lost with the provider. */
  isTaggedByHand: (hostName: string) => boolean
  onRefused: (sentence: string) => void
}

export type Computes = {
  /** Services, providers, servers and allocations for all hosts, into an empty Nova and Placement. */
  populate: () => void
  /** One period of one host's nova-compute, or of all. */
  refresh: (hostName?: string) => void
}

const computeNode = (cloud: Cloud, spec: HostSpec, index: number): ComputeNode => ({
  serviceId: uuidFrom(`nova-compute ${spec.name}`),
  host: spec.name,
  uuid: uuidFrom(`compute node ${spec.name}`),
  hypervisorHostname: hypervisorHostname(spec),
  hostIp: `10.20.1.${10 + (index % 240)}`,
  hypervisorVersion: libvirtNumber(spec.system.qemuVersion),
  zone: 'nova',
  isDisabled: false,
  disabledReason: null,
  isForcedDown: false,
  isDown: false,
  isCellDown: false,
  lastSeenMs: cloud.now().getTime(),
  stoppedMs: null,
  startedMs: spec.nova.process?.startedAtMs ?? 0,
})

/** 8.2.2 is 8002002 in `hypervisor_version`. */
const libvirtNumber = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1000 + patch
}

/**
 * A vGPU of a type that nova.conf no longer names was placed when it still did: its provider is there, and stays
 * because a server holds it.
 */
const addFormerProviders = (cloud: Cloud, spec: HostSpec, rootUuid: string): void => {
  for (const gpu of spec.gpus) {
    if (gpu.slicing?.interface !== 'mdev') continue
    for (const { uuid, slot } of gpu.slicing.state.vgpus) {
      if (!spec.guests.some((guest) => guest.mdevs.includes(uuid))) continue
      const name = mdevProviderName(spec, slot)
      if (providerNamed(cloud.placement, name) !== undefined) continue
      const provider = addProvider(cloud.placement, { uuid: cloud.newUuid(), name, parentUuid: rootUuid })
      const held = gpu.slicing.state.vgpus.filter((vgpu) => vgpu.slot === slot).length
      replaceInventories(cloud.placement, provider, new Map([['VGPU', deviceInventory(held)]]))
    }
  }
}

/** What an operator tagged by hand before the story begins. */
const tagAll = (cloud: Cloud, spec: HostSpec): void => {
  for (const { slot, typeId } of mdevTotals(spec)) {
    const provider = providerNamed(cloud.placement, mdevProviderName(spec, slot))
    if (provider !== undefined) tagProvider(cloud, provider, traitOfSlot(spec, slot, typeId))
  }
}

/** nova-compute on every host of a world, in step with the hosts' guests from now on. */
export const openComputes = (options: ComputeOptions): Computes => {
  const { cloud, world } = options

  const computeOf = ({ living }: WorldHost): ComputeNode | undefined =>
    cloud.nova.computes.find(({ host }) => host === living.name)

  /** The refusals of Placement. */
  const refreshOne = (host: WorldHost): ApiError[] => {
    const refused: ApiError[] = []
    const compute = computeOf(host)
    if (compute === undefined) return []
    if (host.downUntilMs !== null || compute.isDown || compute.stoppedMs !== null) return []
    compute.lastSeenMs = cloud.now().getTime()
    const { name } = host.living
    const spec = host.living.spec()
    refreshHost(cloud, spec, {
      rootUuid: compute.uuid,
      isDisabled: compute.isDisabled,
      // Once its nova.conf is edited elsewhere, its traits are too.
      keepsTraits: !options.isTaggedByHand(name) && spec.nova.files === host.fleet.spec.nova.files,
      onRefused: (error) => {
        refused.push(error)
        options.onRefused(`${name}: ${error.message}`)
      },
    })
    return refused
  }

  /** What ends nova-compute after libvirt and nova.conf are fine; in a later period it would only be logged. */
  const startUpFailure = (host: WorldHost): string | null => {
    const mixed = mixedPool(host.living.spec())
    if (mixed !== null) return mixed
    const inUse = refreshOne(host).find(({ code }) => code === CODES.inventoryInUse)
    return inUse === undefined ? null : `nova.exception.PlacementPciException: ${inUse.message}`
  }

  const novaStarted = (host: WorldHost): void => {
    const compute = computeOf(host)
    if (compute === undefined) return
    const nowMs = cloud.now().getTime()
    const fail = (failure: string): void => {
      compute.stoppedMs = nowMs
      options.onRefused(`${host.living.name}: nova-compute does not start: ${failure}`)
    }
    const failure = host.living.spec().nova.process?.failure ?? null
    if (failure !== null) {
      fail(failure)
      return
    }
    Object.assign(compute, { stoppedMs: null, isDown: false, startedMs: nowMs, lastSeenMs: nowMs })
    const late = startUpFailure(host)
    if (late === null) return
    const spec = host.living.spec()
    host.living.become(withNovaProcess(spec, spec.nova.process?.startedAtMs ?? nowMs, late))
    fail(late)
  }

  const populate = (): void => {
    const guests = world.hosts.flatMap(({ living }) => living.spec().guests)
    const settled = new Set(guests.filter(({ state }) => state !== 'paused').map(({ uuid }) => uuid))
    world.hosts.forEach((host, index) => {
      const spec = host.living.spec()
      const compute = computeNode(cloud, spec, index)
      cloud.nova.computes.push(compute)
      refreshOne(host)
      tagAll(cloud, spec)
      addFormerProviders(cloud, spec, compute.uuid)
      for (const guest of spec.guests) {
        // The copy of a server that is arriving by a migration.
        const isCopy = guest.state === 'paused' && settled.has(guest.uuid)
        if (!isCopy) registerServer(cloud, compute, spec, guest)
      }
    })
  }

  world.watchServers({ ...followServers(cloud), novaStarted })

  return {
    populate,
    refresh: (hostName) => {
      for (const host of world.hosts)
        if (hostName === undefined || host.living.name === hostName) refreshOne(host)
    },
  }
}
