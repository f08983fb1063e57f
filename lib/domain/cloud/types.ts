/**
 * The last value of one source. `value` null: it was never read, and `error` has the reason. With a value and an error,
 * the value is as old as `at`, because every attempt since `failingSince` failed. Times are of the console's clock, ISO
 * 8601 UTC.
 */
export type PartReading<Value> =
  | { value: Value; at: string; error: string | null; failingSince: string | null }
  | { value: null; at: null; error: string; failingSince: string }

/**
 * Placement's values of one resource class of a provider. `capacity` and `used` come from candidate summaries (capacity =
 * (total - reserved) x ratio); the rest is null until the inventory itself was requested.
 */
export type ProviderInventory = {
  capacity: number
  used: number
  total: number | null
  reserved: number | null
  allocationRatio: number | null
  minUnit: number | null
  maxUnit: number | null
  stepSize: number | null
}

/** A resource provider (Placement 1.39). Never keyed by `uuid` across readings: Nova re-creates providers. */
export type ResourceProvider = {
  uuid: string
  name: string
  generation: number
  parentUuid: string | null
  rootUuid: string
  /** By resource class: `VGPU`, `CUSTOM_…`, `VCPU`, …; null: not known in this reading. */
  inventories: Readonly<Record<string, ProviderInventory>> | null
  traits: readonly string[] | null
  /** Placement aggregates; null: not asked. */
  aggregateUuids: readonly string[] | null
}

/** What one consumer (a server, or a migration that still holds the source) takes from one provider. */
export type Allocation = {
  consumerUuid: string
  providerUuid: string
  resources: Readonly<Record<string, number>>
}

/** `GET /os-services?binary=nova-compute`. */
export type ComputeService = {
  id: string
  host: string
  status: 'enabled' | 'disabled' | 'unknown'
  state: 'up' | 'down' | 'unknown'
  isForcedDown: boolean
  disabledReason: string | null
  /** The last report to Nova of a service that is down; ISO 8601 UTC. Null: it is up, or the time is unknown. */
  updatedAt: string | null
  availabilityZone: string | null
}

/**
 * Whether Neutron can bind ports on a GPU host whose nova-compute has another name than the host itself. `host` is the name of
 * the nova-compute. `dead`: the host has L2 agents, and none of them is alive. `unverified`: the account cannot list agents.
 */
export type NetworkAgentCheck =
  | { host: string; state: 'alive' }
  | { host: string; state: 'missing' }
  | { host: string; state: 'dead'; agentTypes: readonly string[] }
  | { host: string; state: 'unverified'; because: string }

/** `GET /os-hypervisors/detail`. `id` equals the uuid of the root resource provider. */
export type Hypervisor = {
  id: string
  hypervisorHostname: string
  /** Host of its nova-compute service. */
  serviceHost: string
  hostIp: string | null
  hypervisorVersion: number | null
  state: 'up' | 'down'
  status: 'enabled' | 'disabled'
}

/** A Nova server with the flavor as embedded in it (a copy: later changes of the flavor do not reach it). */
export type Server = {
  uuid: string
  name: string
  projectId: string
  userId: string | null
  /** `ACTIVE`, `SHUTOFF`, `ERROR`, `VERIFY_RESIZE`, … */
  status: string
  taskState: string | null
  host: string | null
  hypervisorHostname: string | null
  /** libvirt's name of the guest: `instance-00000004`. */
  instanceName: string | null
  flavorName: string | null
  vcpus: number | null
  memoryMib: number | null
  diskGib: number | null
  extraSpecs: Readonly<Record<string, string>>
  /** `fault.message` of a server in ERROR. */
  fault: string | null
  createdAt: string | null
}

/** A migration in progress, which holds allocations under its own uuid. */
export type Migration = {
  uuid: string
  serverUuid: string
  type: 'migration' | 'live-migration' | 'resize' | 'evacuation'
  status: string
  sourceHost: string | null
  destinationHost: string | null
}

export type Flavor = {
  id: string
  name: string
  vcpus: number
  memoryMib: number
  diskGib: number
  ephemeralGib: number
  swapMib: number
  isPublic: boolean
  isDisabled: boolean
  description: string | null
  extraSpecs: Readonly<Record<string, string>>
  /** Of a private one: projects that may use it; missing or null: Nova has not reported them. */
  projectIds?: readonly string[] | null
}

/** A Nova host aggregate; `uuid` is the aggregate's uuid in Placement. */
export type HostAggregate = {
  id: number
  uuid: string
  name: string
  availabilityZone: string | null
  hosts: readonly string[]
  metadata: Readonly<Record<string, string>>
}

/** Keystone's registered limit. `regionId` null is another row than the region's own. -1 is unlimited (Nova 31 and newer). */
export type RegisteredLimit = {
  id: string
  serviceId: string
  regionId: string | null
  resourceName: string
  defaultLimit: number
}

export type ProjectLimit = {
  id: string
  serviceId: string
  regionId: string | null
  projectId: string | null
  domainId: string | null
  resourceName: string
  resourceLimit: number
}

export type LimitFacts = {
  /** `flat` or `strict_two_level`. */
  model: string
  registered: readonly RegisteredLimit[]
  /** Null: the token sees only its own project's limits (Keystone before 2026.1, no system scope). */
  project: readonly ProjectLimit[] | null
  /** Service id and region of Nova's endpoint in the catalog, which oslo.limit uses for its queries. */
  novaServiceId: string | null
  novaRegionId: string | null
}

export type Project = { id: string; name: string; domainId: string; isEnabled: boolean }

/** Highest microversions of the services, e.g. `2.96`; null if not read. */
export type ApiVersions = { nova: string | null; placement: string | null; keystone: string | null }

/**
 * Everything that OpenStack's services reported about one cloud and region in the last reading round. Pure data:
 * findings, numbers and fits are functions of it and of the hosts' descriptions.
 */
export type CloudFacts = {
  cloud: string
  region: string | null
  versions: ApiVersions
  providers: PartReading<readonly ResourceProvider[]>
  /** Of providers that offer vGPUs or whole GPUs and have some in use. */
  allocations: PartReading<readonly Allocation[]>
  services: PartReading<readonly ComputeService[]>
  hypervisors: PartReading<readonly Hypervisor[]>
  /** Servers on hosts where GPUs are, and the consumers of the allocations above. */
  servers: PartReading<readonly Server[]>
  migrations: PartReading<readonly Migration[]>
  flavors: PartReading<readonly Flavor[]>
  aggregates: PartReading<readonly HostAggregate[]>
  limits: PartReading<LimitFacts>
  projects: PartReading<readonly Project[]>
  /** Only of GPU hosts whose nova-compute has another name than the host; without such a host Neutron is not read. */
  networkAgents: PartReading<readonly NetworkAgentCheck[]>
}
