import type { ApiVersions, CloudFacts, PartReading, ResourceProvider } from '@/lib/domain/cloud/types'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { createNeutron, type NeutronClient } from '../neutron/create-neutron'
import { createNova } from '../nova/create-nova'
import type { NovaClient } from '../nova/types'
import type { OpenStackServiceName } from '../openstack-error'
import { createPlacement } from '../placement/create-placement'
import type { PlacementClient } from '../placement/types'
import type { ServiceAccount } from '../session/types'
import { createRequestMeter } from '../transport/request-meter'
import type { RequestMeter } from '../transport/types'
import { listGpuHosts } from './gpu-hosts'
import { isGpuProvider as looksLikeGpu } from './gpu-provider'
import {
  AGGREGATES,
  ALLOCATIONS,
  FLAVORS,
  leaveOutMalformed,
  MIGRATIONS,
  PROJECTS,
  PROVIDERS,
  SERVERS,
} from './leave-out-malformed'
import { neverRead, readNow } from './part-reading'
import { type AllocationMemory, createAllocationMemory, readAllocations } from './read-allocations'
import { createFlavorMemory, type FlavorMemory, readFlavors } from './read-flavors'
import { type InventoryMemory, readInventories } from './read-inventories'
import { type LimitMemory, readLimits } from './read-limits'
import {
  createMembershipMemory,
  type MembershipMemory,
  readMembership,
  withMembership,
} from './read-membership'
import { createMigrationMemory, type MigrationMemory, readMigrations } from './read-migrations'
import { listRenamedHosts, readNetworkAgents } from './read-network-agents'
import { createProviderMemory, type ProviderMemory, readProviders } from './read-providers'
import { createServerMemory, readServers, type ServerMemory } from './read-servers'
import { IncompletePart, type Round, startRound } from './round'
import {
  createSlowClock,
  DEFAULT_AGES,
  PARTS_BY_AGE,
  QUIET_REQUESTS,
  type SlowClock,
  type SlowPart,
} from './slow-parts'
import type { CloudReader, IsGpuProvider, PartAges, ReadRoundInput } from './types'

type CreateCloudReaderInput = {
  account: ServiceAccount
  isGpuProvider?: IsGpuProvider
  ages?: Partial<PartAges>
  /** Maximum requests of a first reading, or of one after many changes, before it continues in the next round. */
  maxRequestsPerRound?: number
}

type Reader = {
  account: ServiceAccount
  placement: PlacementClient
  nova: NovaClient
  neutron: NeutronClient
  meter: RequestMeter
  isGpuProvider: IsGpuProvider
  slow: SlowClock
  facts: CloudFacts
  providers: ProviderMemory
  allocations: AllocationMemory
  servers: ServerMemory
  migrations: MigrationMemory
  limits: LimitMemory
  flavors: FlavorMemory
  membership: MembershipMemory
  inventories: InventoryMemory
}

/** What fits into an interval of 30 s at the rate of lib/openstack/clouds/load-clouds. */
const MAX_REQUESTS = 1200

const emptyFacts = ({ cloud, region }: ServiceAccount, now: Date): CloudFacts => ({
  cloud,
  region,
  versions: { nova: null, placement: null, keystone: null },
  providers: neverRead(now),
  allocations: neverRead(now),
  services: neverRead(now),
  hypervisors: neverRead(now),
  servers: neverRead(now),
  migrations: neverRead(now),
  flavors: neverRead(now),
  aggregates: neverRead(now),
  limits: neverRead(now),
  projects: neverRead(now),
  networkAgents: neverRead(now),
})

const startReader = (
  { account, isGpuProvider, ages }: CreateCloudReaderInput,
  { previous, now }: ReadRoundInput,
): Reader => {
  const meter = createRequestMeter()
  const facts = previous ?? emptyFacts(account, now)
  return {
    account,
    placement: createPlacement({ account, meter }),
    nova: createNova({ account, meter }),
    neutron: createNeutron({ account, meter }),
    meter,
    isGpuProvider: isGpuProvider ?? looksLikeGpu,
    slow: createSlowClock({ ...DEFAULT_AGES, ...ages }),
    facts,
    providers: createProviderMemory(facts.providers.value),
    allocations: createAllocationMemory(facts),
    servers: createServerMemory(facts.servers.at),
    migrations: createMigrationMemory(),
    limits: { model: null },
    flavors: createFlavorMemory(facts.flavors.value),
    membership: createMembershipMemory(),
    inventories: { capacities: null },
  }
}

/**
 * Reads a cloud round by round at the least cost: what may have changed each time, the rest by age. It remembers what it
 * has read, so one reader serves one cloud and its rounds must not overlap. A service that fails leaves its parts with
 * their last value, the error and since when; nothing is thrown for it.
 */
export const createCloudReader = (input: CreateCloudReaderInput): CloudReader => {
  let reader: Reader | null = null
  return {
    readRound: async (wanted) => {
      reader ??= startReader(input, wanted)
      if (wanted.previous !== null) reader.facts = wanted.previous
      const maxRequests = input.maxRequestsPerRound ?? MAX_REQUESTS
      const round = startRound({ now: wanted.now, meter: reader.meter, maxRequests })
      const hosts = await readFastParts(reader, round, wanted)
      await readSlowParts(reader, round, hosts)
      await readAggregateMembers(reader, round)
      await readGpuInventories(reader, round)
      return {
        facts: reader.facts,
        cost: round.costs(),
        notes: round.notes,
        waitingRequests: round.waiting(),
        isUnfinished: round.isUnfinished(),
        unplaced: [...reader.servers.unplaced.values()].map(({ server }) => server),
      }
    },
  }
}

/** Answers the GPU hosts; null: they are not known yet. */
const readFastParts = async (
  reader: Reader,
  round: Round,
  wanted: ReadRoundInput,
): Promise<readonly string[] | null> => {
  const { placement, nova, isGpuProvider } = reader
  const before = reader.facts
  const [providers, services] = await Promise.all([
    round.part('placement', before.providers, async () => {
      const all = await readProviders({ placement, memory: reader.providers, round })
      return leaveOutMalformed(all, PROVIDERS, round.notes)
    }),
    round.part('nova', before.services, () => nova.listServices()),
  ])
  const hypervisors = await readSlow(reader, round, 'hypervisors', 'nova', before.hypervisors, () =>
    nova.listHypervisors(),
  )
  const allocations = await round.part('placement', before.allocations, async () => {
    const all = await readAllocations({
      placement,
      providers: providers.value,
      memory: reader.allocations,
      isGpuProvider,
      round,
    })
    return leaveOutMalformed(all, ALLOCATIONS, round.notes)
  })
  const hosts =
    providers.value === null || hypervisors.value === null
      ? null
      : listGpuHosts({
          providers: providers.value,
          hypervisors: hypervisors.value,
          isGpuProvider,
          named: wanted.gpuHosts ?? [],
        })
  const consumers = allocations.value ?? []
  const servers = await round.part('nova', before.servers, async () => {
    const all = await readServers({ nova, hosts, allocations: consumers, memory: reader.servers, round })
    return leaveOutMalformed(all, SERVERS, round.notes)
  })
  const migrations = await round.part('nova', before.migrations, async () => {
    const known = servers.value ?? []
    const all = await readMigrations({ nova, servers: known, memory: reader.migrations, round })
    return leaveOutMalformed(all, MIGRATIONS, round.notes)
  })
  reader.facts = { ...before, providers, services, hypervisors, allocations, servers, migrations }
  return hosts
}

const readSlow = async <Value>(
  reader: Reader,
  round: Round,
  part: SlowPart,
  service: OpenStackServiceName,
  previous: PartReading<Value>,
  work: () => Promise<Value | IncompletePart<Value>>,
): Promise<PartReading<Value>> => {
  // After an error it is read in every round, so that it recovers as fast as the others.
  const waits = PARTS_BY_AGE.has(part) || previous.error === null || isIncomplete(previous)
  if (waits && !reader.slow.isDue(part, round)) return previous
  const reading = await round.part(service, previous, work)
  if (PARTS_BY_AGE.has(part) || reading.error === null || isIncomplete(reading))
    reader.slow.done(part, round.now)
  return reading
}

const readSlowParts = async (reader: Reader, round: Round, gpuHosts: readonly string[] | null) => {
  const { account, nova, meter, facts } = reader
  const aggregates = await readSlow(reader, round, 'aggregates', 'nova', facts.aggregates, async () =>
    leaveOutMalformed(await nova.listAggregates(), AGGREGATES, round.notes),
  )
  const flavors = await readSlow(reader, round, 'flavors', 'nova', facts.flavors, async () => {
    // What follows in this round needs requests too.
    const budget = () => QUIET_REQUESTS - round.spent() - 2
    const all = await readFlavors({ nova, memory: reader.flavors, round, budget })
    return leaveOutMalformed(all, FLAVORS, round.notes)
  })
  const limits = await readSlow(reader, round, 'limits', 'keystone', facts.limits, () =>
    readLimits({ account, meter, memory: reader.limits, round }),
  )
  const projects = await readSlow(reader, round, 'projects', 'keystone', facts.projects, async () => {
    const { items, incompleteBecause } = await account.withToken(
      'project',
      (token) => account.keystone.listAllProjects({ tokenId: token.id, meter }),
      meter,
    )
    const named = items.map(({ id, name, domainId, isEnabled }) => ({ id, name, domainId, isEnabled }))
    const projects = leaveOutMalformed(named, PROJECTS, round.notes)
    return incompleteBecause === null ? projects : new IncompletePart(projects, incompleteBecause)
  })
  const versions = await readVersions(reader, round)
  const networkAgents = await readRenamedHosts(reader, round, gpuHosts)
  reader.facts = { ...facts, aggregates, flavors, limits, projects, versions, networkAgents }
}

/** Neutron is read only while a GPU host needs it. */
const readRenamedHosts = async (
  reader: Reader,
  round: Round,
  gpuHosts: readonly string[] | null,
): Promise<CloudFacts['networkAgents']> => {
  const { neutron, facts } = reader
  const previous = facts.networkAgents
  if (gpuHosts === null || facts.hypervisors.value === null) return previous
  const hosts = listRenamedHosts(facts.hypervisors.value, gpuHosts)
  if (hosts.length === 0) return readNow(previous.value?.length === 0 ? previous.value : [], round.now)
  return readSlow(reader, round, 'networkAgents', 'neutron', previous, () =>
    readNetworkAgents({ neutron, hosts, previous: previous.value }),
  )
}

/** Last, with what room the round has left. */
const readAggregateMembers = async (reader: Reader, round: Round) => {
  const { placement, membership: memory, facts } = reader
  const aggregates = facts.aggregates.value
  if (aggregates === null || facts.providers.value === null || facts.providers.error !== null) return
  const budget = QUIET_REQUESTS - round.spent()
  const { error } = await round.part('placement', readNow(null, round.now), async () => {
    await readMembership({ placement, aggregates, memory, round, budget })
    return null
  })
  if (error !== null) return
  const value = withMembership(facts.providers.value, { aggregates, memory })
  for (const provider of value)
    if (provider.parentUuid === null) reader.providers.byUuid.set(provider.uuid, provider)
  reader.facts = { ...facts, providers: { ...facts.providers, value } }
}

/** Last, for the same reason. */
const readGpuInventories = async (reader: Reader, round: Round) => {
  const { placement, isGpuProvider, inventories: memory, facts } = reader
  const { value: providers, error: stale } = facts.providers
  if (providers === null || stale !== null) return
  const freeRequests = QUIET_REQUESTS - round.spent()
  const { value } = await round.part('placement', readNow<ResourceProvider[]>([], round.now), () =>
    readInventories({ placement, providers, memory, isGpuProvider, round, freeRequests }),
  )
  const read = new Map((value ?? []).map((provider) => [provider.uuid, provider]))
  for (const [uuid, provider] of read) reader.providers.byUuid.set(uuid, provider)
  const all = providers.map((provider) => read.get(provider.uuid) ?? provider)
  reader.facts = { ...facts, providers: { ...facts.providers, value: all } }
}

/** Nova's and Placement's were agreed on with the first request, so they cost nothing here. */
const readVersions = async (reader: Reader, round: Round): Promise<ApiVersions> => {
  const { account, nova, placement, meter, facts } = reader
  const known = facts.versions
  const isMissing = Object.values(known).includes(null)
  if (!isMissing && !reader.slow.isDue('versions', round)) return known
  const one = async (service: OpenStackServiceName, last: string | null, read: () => Promise<string>) =>
    (await round.part(service, readNow(last, round.now), read)).value
  const versions = {
    nova: await one('nova', known.nova, nova.maxVersion),
    placement: await one('placement', known.placement, placement.maxVersion),
    keystone: await one('keystone', known.keystone, () => account.keystone.version({ meter })),
  }
  if (!Object.values(versions).includes(null)) reader.slow.done('versions', round.now)
  return versions
}
