/** What Nova holds. */
export type NovaState = {
  computes: ComputeNode[]
  flavors: Flavor[]
  /** By uuid. */
  servers: Map<string, Server>
  /** By uuid, the longest deleted first. */
  deletedServers: Map<string, Server>
  migrations: Migration[]
  aggregates: Aggregate[]
  /** Names, by user. */
  keyPairs: Map<string, string[]>
  /** `[api] max_limit`: servers on one page. */
  maxLimit: number
  /** `[scheduler] enable_isolated_aggregate_filtering`, off as by default. */
  isIsolatingAggregates: boolean
  /** `[quota] driver` of nova-api and nova-conductor. */
  quotaDriver: 'unified' | 'legacy'
  /** By project, what the legacy driver has in its database in addition to the defaults. */
  legacyQuotas: Map<string, Partial<LegacyQuotas>>
}

/** Names as in /os-quota-sets. */
export type LegacyQuotas = { instances: number; cores: number; ram: number }

/** A nova-compute service with its one hypervisor. */
export type ComputeNode = {
  serviceId: string
  /** nova-compute's `host`. */
  host: string
  /** Equals the root provider's uuid. */
  uuid: string
  /** Equals the root provider's name. */
  hypervisorHostname: string
  hostIp: string
  hypervisorVersion: number
  zone: string
  isDisabled: boolean
  disabledReason: string | null
  isForcedDown: boolean
  /** No heartbeat for longer than `service_down_time`. */
  isDown: boolean
  /** nova-compute did not start then; Nova takes it for up until `service_down_time` has passed. */
  stoppedMs: number | null
  /** Of a cell that Nova can't reach: it reports UNKNOWN (2.69). */
  isCellDown: boolean
  lastSeenMs: number
  startedMs: number
}

/** `service_down_time`, as by default. */
export const SERVICE_DOWN_MS = 60_000

/** Up while nova-compute reports, unless an admin forced it down. */
export const isServiceUp = (compute: ComputeNode, nowMs: number): boolean =>
  !compute.isDown &&
  !compute.isForcedDown &&
  (compute.stoppedMs === null || nowMs - compute.stoppedMs < SERVICE_DOWN_MS)

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
  extraSpecs: Record<string, string>
  /** Projects that may use it when it is not public. */
  projectIds: string[]
}

/** The flavor as a server carries it: a copy. */
export type ServerFlavor = Pick<
  Flavor,
  'name' | 'vcpus' | 'memoryMib' | 'diskGib' | 'ephemeralGib' | 'swapMib' | 'extraSpecs'
>

type ServerStatus =
  | 'BUILD'
  | 'ACTIVE'
  | 'SHUTOFF'
  | 'PAUSED'
  | 'ERROR'
  | 'MIGRATING'
  | 'RESIZE'
  | 'VERIFY_RESIZE'
  | 'DELETED'

export type Server = {
  uuid: string
  name: string
  projectId: string
  userId: string
  status: ServerStatus
  taskState: string | null
  /** Null: on no host, as servers in ERROR that were never placed. */
  host: string | null
  hypervisorHostname: string | null
  instanceName: string
  flavor: ServerFlavor
  fault: { code: number; message: string } | null
  metadata: Record<string, string>
  keyName: string | null
  networkIds: string[]
  /** As requested: ids or names. */
  securityGroups: string[]
  /** Made by POST /servers; the demo's everyday life leaves it alone. */
  isByApi: boolean
  createdMs: number
  updatedMs: number
}

export type Migration = {
  id: number
  uuid: string
  serverUuid: string
  type: 'migration' | 'live-migration' | 'resize' | 'evacuation'
  status: string
  sourceHost: string
  /** Null: no host was found. */
  destinationHost: string | null
  createdMs: number
  updatedMs: number
}

export type Aggregate = {
  id: number
  uuid: string
  name: string
  zone: string | null
  hosts: string[]
  metadata: Record<string, string>
  createdMs: number
}

export const createNovaState = (): NovaState => ({
  computes: [],
  flavors: [],
  servers: new Map(),
  deletedServers: new Map(),
  migrations: [],
  aggregates: [],
  keyPairs: new Map(),
  maxLimit: 1000,
  isIsolatingAggregates: false,
  quotaDriver: 'unified',
  legacyQuotas: new Map(),
})
