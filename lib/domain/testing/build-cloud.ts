import type { CloudHostFacts, Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import type {
  CloudFacts,
  Flavor,
  LimitFacts,
  PartReading,
  ProviderInventory,
  ResourceProvider,
  Server,
} from '@/lib/domain/cloud/types'
import { describeHost } from '@/lib/domain/host/describe-host'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { uuidOf } from './build-inventory'

const NOW = '2026-11-21T10:00:00.000Z'
const AT = '2026-11-21T09:59:50.000Z'

export const readPart = <Value>(value: Value): PartReading<Value> => ({
  value,
  at: AT,
  error: null,
  failingSince: null,
})

/** A part that was never read. */
export const silentPart = (): PartReading<never> => ({
  value: null,
  at: null,
  error: 'connection refused',
  failingSince: AT,
})

export const inventoryOf = (total: number, used: number): ProviderInventory => ({
  capacity: total,
  used,
  total,
  reserved: 0,
  allocationRatio: 1,
  minUnit: 1,
  maxUnit: total,
  stepSize: 1,
})

export const hostFacts = (inventory: Inventory, rest: Partial<CloudHostFacts> = {}): CloudHostFacts => ({
  name: inventory.host.name,
  inventory,
  description: describeHost(inventory),
  takenAt: AT,
  seenAt: AT,
  isSilent: false,
  agentVersion: '1.0.0',
  droppedReports: 0,
  problems: inventory.problems,
  ...rest,
})

export const buildFlavor = (flavor: Partial<Flavor> & { name: string }): Flavor => ({
  id: flavor.name,
  vcpus: 4,
  memoryMib: 8192,
  diskGib: 20,
  ephemeralGib: 0,
  swapMib: 0,
  isPublic: true,
  isDisabled: false,
  description: null,
  extraSpecs: {},
  ...flavor,
})

export const buildServer = (server: Partial<Server> & { uuid: string; host: string | null }): Server => ({
  name: `server-${server.uuid.slice(-4)}`,
  projectId: 'p1',
  userId: 'u1',
  status: 'ACTIVE',
  taskState: null,
  hypervisorHostname: server.host,
  instanceName: null,
  flavorName: 'vgpu',
  vcpus: 4,
  memoryMib: 8192,
  diskGib: 20,
  extraSpecs: { 'resources:VGPU': '1' },
  fault: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...server,
})

export const rootOf = (name: string, n: number, rest: Partial<ResourceProvider> = {}): ResourceProvider => ({
  uuid: uuidOf(0x10_0000 + n),
  name,
  generation: 1,
  parentUuid: null,
  rootUuid: uuidOf(0x10_0000 + n),
  inventories: {
    VCPU: inventoryOf(512, 0),
    MEMORY_MB: inventoryOf(1_048_576, 0),
    DISK_GB: inventoryOf(100_000, 0),
  },
  traits: ['COMPUTE_STATUS_ENABLED'],
  aggregateUuids: [],
  ...rest,
})

/** The provider of an mdev parent below a root. */
export const mdevProvider = (
  root: ResourceProvider,
  { address, n, ...rest }: Partial<ResourceProvider> & { address: string; n: number },
): ResourceProvider => ({
  uuid: uuidOf(0x20_0000 + n),
  name: mdevProviderName({ hypervisorHostname: root.name, address }),
  generation: 1,
  parentUuid: root.uuid,
  rootUuid: root.uuid,
  inventories: { VGPU: inventoryOf(4, 0) },
  traits: [],
  aggregateUuids: null,
  ...rest,
})

const NO_LIMITS: LimitFacts = {
  model: 'flat',
  registered: [],
  project: [],
  novaServiceId: 'nova-service',
  novaRegionId: 'RegionOne',
}

/** A cloud whose services answered and have nothing, with what a test puts into it. */
const buildFacts = (facts: Partial<CloudFacts> = {}): CloudFacts => ({
  cloud: 'test',
  region: 'RegionOne',
  versions: { nova: '2.96', placement: '1.39', keystone: '3.14' },
  providers: readPart([]),
  allocations: readPart([]),
  services: readPart([]),
  hypervisors: readPart([]),
  servers: readPart([]),
  migrations: readPart([]),
  flavors: readPart([]),
  aggregates: readPart([]),
  limits: readPart(NO_LIMITS),
  projects: readPart([{ id: 'p1', name: 'research', domainId: 'default', isEnabled: true }]),
  networkAgents: readPart([]),
  ...facts,
})

/** The hosts as the console describes them once it knows the release of Nova. */
export const describedFor = (
  { versions }: Pick<CloudFacts, 'versions'>,
  hosts: readonly CloudHostFacts[],
): CloudHostFacts[] =>
  hosts.map((host) => ({
    ...host,
    description: describeHost(host.inventory, { range: novaRange(versions.nova) }),
  }))

export const buildInput = (
  facts: Partial<CloudFacts>,
  hosts: readonly CloudHostFacts[],
  rest: Partial<Omit<FleetFacts, 'facts' | 'hosts'>> = {},
): FleetFacts => ({
  facts: buildFacts(facts),
  hosts: describedFor(buildFacts(facts), hosts),
  now: NOW,
  staleAfterMs: 300_000,
  currentAgentVersion: '1.0.0',
  traitMemory: [],
  managedTraits: [],
  ...rest,
})

export const buildFleet = (...input: Parameters<typeof buildInput>): Fleet => joinFleet(buildInput(...input))
