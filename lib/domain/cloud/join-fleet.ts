import type { PciScheduling } from '@/lib/domain/nova-config/alias-takes'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { novaRange, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { rangeOf, readNovaView } from '@/lib/domain/nova-config/nova-view'
import { allSteps } from '@/lib/util/all-steps'
import { oncePer } from '@/lib/util/once-per'
import { readApiAliases, readPciScheduling } from './api-aliases'
import type {
  CloudHostFacts,
  Fleet,
  FleetFacts,
  GpuProvider,
  JoinedHost,
  JoinedPgpu,
  UnseenHost,
} from './fleet-types'
import { groupBy, type HostIndex, indexHosts, matchHypervisor, matchRoot, matchService } from './match-host'
import { parseProviderName } from './provider-name'
import type { CloudFacts, ResourceProvider, Server } from './types'

const toGpuProvider = (provider: ResourceProvider): GpuProvider | null => {
  if (provider.parentUuid === null) return null
  const name = parseProviderName(provider.name, { hasParent: true })
  return name.kind === 'mdev' || name.kind === 'pci'
    ? { provider, kind: name.kind, address: name.address }
    : null
}

const functionsOf = (host: CloudHostFacts): Map<string, number> =>
  new Map(
    host.description.pgpus.flatMap((pgpu, index) =>
      [pgpu.address, ...pgpu.virtualFunctions.map((vf) => vf.address)].map((address) => [address, index]),
    ),
  )

const joinPgpus = (
  host: CloudHostFacts,
  providers: readonly GpuProvider[],
): { pgpus: JoinedPgpu[]; strays: GpuProvider[] } => {
  const indexes = functionsOf(host)
  const byIndex = host.description.pgpus.map((): GpuProvider[] => [])
  const strays: GpuProvider[] = []
  for (const entry of providers) {
    const index = indexes.get(entry.address)
    if (index === undefined) strays.push(entry)
    else byIndex[index]?.push(entry)
  }
  const pgpus = host.description.pgpus.map((pgpu, index) => ({
    pgpu,
    functions: [pgpu.address, ...pgpu.virtualFunctions.map((vf) => vf.address)],
    providers: (byIndex[index] ?? []).toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  }))
  return { pgpus, strays: strays.filter(({ address }) => !isOtherDevice(host, address)) }
}

/** PCI in Placement also carries devices that are no GPUs: only what a GPU could be is ours to judge. */
const isOtherDevice = (host: CloudHostFacts, address: string): boolean =>
  host.inventory.gpus.some(
    (device) => device.address === address || device.virtualFunctions.some((vf) => vf.address === address),
  )

const joinHost = ({
  host,
  index,
  gpuProvidersByRoot,
  serversByHost,
  range,
  pciScheduling,
}: {
  host: CloudHostFacts
  index: HostIndex
  gpuProvidersByRoot: ReadonlyMap<string, readonly GpuProvider[]>
  serversByHost: ReadonlyMap<string, readonly Server[]>
  range: NovaRange | null
  pciScheduling: PciScheduling | null
}): JoinedHost => {
  const service = matchService(index, host.name)
  const hypervisor = matchHypervisor(index, { hostName: host.name, service })
  const root = matchRoot(index, { hostName: host.name, hypervisor })
  const providers = root.value === null ? [] : (gpuProvidersByRoot.get(root.value.uuid) ?? [])
  return {
    host,
    nova: readNovaView(host.inventory, rangeOf(host.inventory, range)),
    pciScheduling,
    service,
    hypervisor,
    root,
    ...joinPgpus(host, providers),
    servers: serversByHost.get((service.value?.host ?? host.name).toLowerCase()) ?? [],
  }
}

/** The root providers that Placement still has of removed hosts. */
const rootsOf = (hostNames: readonly string[], index: HostIndex): (string | undefined)[] =>
  hostNames.map((hostName) => {
    const hypervisor = matchHypervisor(index, { hostName, service: matchService(index, hostName) })
    return matchRoot(index, { hostName, hypervisor }).value?.uuid
  })

const listUnseen = (
  knownRoots: readonly (string | undefined)[],
  gpuProvidersByRoot: ReadonlyMap<string, readonly GpuProvider[]>,
  providers: ReadonlyMap<string, ResourceProvider>,
): UnseenHost[] => {
  const seen = new Set(knownRoots)
  return [...gpuProvidersByRoot]
    .filter(([rootUuid]) => !seen.has(rootUuid))
    .map(([rootUuid, ofRoot]) => ({
      hypervisorHostname: providers.get(rootUuid)?.name ?? rootUuid,
      providers: ofRoot,
    }))
}

/** A page about one host needs these every few seconds, and the facts change with a reading round only. */
const gpuProvidersByRootOf = oncePer((facts: CloudFacts) =>
  groupBy(
    (facts.providers.value ?? []).map(toGpuProvider).filter((entry) => entry !== null),
    (entry) => entry.provider.rootUuid,
  ),
)
const hostsOf = oncePer(indexHosts)
const providersOf = oncePer(
  ({ providers }: CloudFacts) =>
    new Map((providers.value ?? []).map((provider) => [provider.uuid, provider])),
)
const allocationsByProviderOf = oncePer(({ allocations }: CloudFacts) =>
  groupBy(allocations.value ?? [], (entry) => entry.providerUuid),
)
const allocationsByConsumerOf = oncePer(({ allocations }: CloudFacts) =>
  groupBy(allocations.value ?? [], (entry) => entry.consumerUuid),
)
const serversByHostOf = oncePer(({ servers }: CloudFacts) =>
  groupBy(servers.value ?? [], (server) => (server.host ?? '').toLowerCase()),
)
const smallMapsOf = oncePer(({ servers, migrations, projects }: CloudFacts) => ({
  servers: new Map((servers.value ?? []).map((server) => [server.uuid, server])),
  migrations: new Map((migrations.value ?? []).map((entry) => [entry.uuid, entry])),
  movingServers: new Set((migrations.value ?? []).map((entry) => entry.serverUuid)),
  projects: new Map((projects.value ?? []).map((project) => [project.id, project])),
}))
const INDEXES = [
  gpuProvidersByRootOf,
  hostsOf,
  providersOf,
  allocationsByProviderOf,
  allocationsByConsumerOf,
  serversByHostOf,
  smallMapsOf,
] as const

const pciSchedulingOf = ({ hosts, apiAliases }: FleetFacts, range: NovaRange | null): PciScheduling | null =>
  rangeHas(range, 'pciInPlacement') === false
    ? 'ids'
    : readPciScheduling(readApiAliases(hosts, apiAliases ?? null))

/** `joinFleet` in steps: between two of them other work can run. */
export function* joinInSteps(input: FleetFacts): Generator<void, Fleet> {
  const { facts } = input
  for (const index of INDEXES) {
    index(facts)
    yield
  }
  const gpuProvidersByRoot = gpuProvidersByRootOf(facts)
  const serversByHost = serversByHostOf(facts)
  const hostIndex = hostsOf(facts)
  const providers = providersOf(facts)
  const range = novaRange(facts.versions.nova)
  const pciScheduling = pciSchedulingOf(input, range)
  const hosts: JoinedHost[] = []
  for (const host of input.hosts) {
    hosts.push(joinHost({ host, index: hostIndex, gpuProvidersByRoot, serversByHost, range, pciScheduling }))
    yield
  }
  return {
    input,
    hosts,
    unseen: listUnseen(
      [...hosts.map(({ root }) => root.value?.uuid), ...rootsOf(input.removedHosts ?? [], hostIndex)],
      gpuProvidersByRoot,
      providers,
    ),
    providers,
    allocationsByProvider: allocationsByProviderOf(facts),
    allocationsByConsumer: allocationsByConsumerOf(facts),
    ...smallMapsOf(facts),
    rememberedTraits: new Map(input.traitMemory.map((entry) => [`${entry.host} ${entry.address}`, entry])),
    managedTraits: groupBy(input.managedTraits, (entry) => `${entry.host} ${entry.address}`),
  }
}

/**
 * Joins the reports of agents and OpenStack's services for one cloud. Pure. The time grows with the hosts and, for facts
 * that were not joined before, with providers, servers and allocations. Each host's `service`, `hypervisor` and `root`
 * have the reason for what could not be matched.
 */
export const joinFleet = (input: FleetFacts): Fleet => allSteps(joinInSteps(input))
