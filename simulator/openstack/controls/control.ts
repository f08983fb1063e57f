import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import type { World } from '@/simulator/world/world'
import type { WorldHost } from '@/simulator/world/world-host'
import type { Cloud } from '../cloud'
import type { ServiceFaults } from '../http/faults'
import type { ComputeNode, Server } from '../nova/nova-state'
import { type Provider, providerNamed, usedOf } from '../placement/placement-state'

export type ControlContext = {
  cloud: Cloud
  world: World
  faults: ServiceFaults
  refresh: (hostName?: string) => void
  /** Everything in Nova, Placement and the limits as the hosts would have it. */
  rebuild: () => void
}

/** Arguments of a control; each takes some of them, and chooses a subject itself where that makes sense. */
export type ControlArgs = Partial<
  Record<'host' | 'server' | 'provider' | 'service' | 'resource' | 'project' | 'kind' | 'value', string>
>

/** Breaks or repairs one thing and returns which. */
export type Control = (args?: ControlArgs) => string

/** The control can't be done; the message gives the reason. */
export class ControlError extends Error {
  override name = 'ControlError'
}

const missing = (what: string): never => {
  throw new ControlError(`${what}.`)
}

export const hostOf = ({ world }: ControlContext, name: string | undefined): WorldHost =>
  world.hosts.find(({ living }) => living.name === name) ??
  missing(name === undefined ? 'Name a host' : `There is no host ${name}`)

export const computeOf = ({ cloud }: ControlContext, name: string | undefined): ComputeNode =>
  cloud.nova.computes.find(({ host }) => host === name) ??
  missing(name === undefined ? 'Name a host' : `There is no nova-compute on ${name}`)

/** The server of that name or uuid; else the first with a vGPU, on the named host if one is named. */
export const serverOf = ({ cloud, world }: ControlContext, { server, host }: ControlArgs): Server => {
  const servers = [...cloud.nova.servers.values()]
  if (server !== undefined) {
    return (
      servers.find(({ uuid, name }) => uuid === server || name === server) ??
      missing(`There is no server ${server}`)
    )
  }
  const withVgpu = new Set(
    world.hosts
      .filter(({ living }) => host === undefined || living.name === host)
      .flatMap(({ living }) => living.spec().guests.filter(({ mdevs }) => mdevs.length > 0))
      .map(({ uuid }) => uuid),
  )
  return servers.find(({ uuid }) => withVgpu.has(uuid)) ?? missing('There is no server with a vGPU')
}

export const guestOf = (context: ControlContext, server: Server): { host: WorldHost; guest: GuestSpec } => {
  const host = hostOf(context, server.host ?? undefined)
  const guest = host.living.spec().guests.find(({ uuid }) => uuid === server.uuid)
  return { host, guest: guest ?? missing(`${server.name} has no guest on ${host.living.name}`) }
}

const isDeviceProvider = (provider: Provider): boolean => /_pci_|_[0-9a-f]{4}:/.test(provider.name)

/** The provider of that name or uuid; else the first of a device, with nothing in use when `isFree`. */
export const providerOf = (
  { cloud }: ControlContext,
  { provider, host }: ControlArgs,
  { isFree = false }: { isFree?: boolean } = {},
): Provider => {
  const { placement } = cloud
  if (provider !== undefined) {
    return (
      providerNamed(placement, provider) ??
      placement.providers.get(provider) ??
      missing(`There is no provider ${provider}`)
    )
  }
  const root = cloud.nova.computes.find((compute) => compute.host === host)?.uuid
  const found = [...placement.providers.values()].find(
    (each) =>
      isDeviceProvider(each) &&
      (host === undefined || each.rootUuid === root) &&
      (!isFree || usedOf(placement, each.uuid).size === 0),
  )
  return found ?? missing('There is no such provider of a pGPU')
}

export const numberOf = (value: string | undefined, otherwise: number): number => {
  if (value === undefined) return otherwise
  return /^-?\d+$/.test(value) ? Number(value) : missing(`"${value}" is no whole number`)
}
