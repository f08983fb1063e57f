import type {
  ComputeService,
  Flavor,
  HostAggregate,
  Hypervisor,
  Migration,
  Server,
} from '@/lib/domain/cloud/types'

/**
 * `isDeleted`: in lists of changes, and for some moments in every other list: Nova marks a server as deleted before its row
 * and its allocations are gone (nova/compute/manager.py: _delete_instance).
 */
export type ListedServer = Server & {
  isDeleted: boolean
  /** The metadata that its creator wrote. */
  metadata: Readonly<Record<string, string>>
}

/** A server; only an admin can create one on a specific host (2.74). */
type NewServer = {
  name: string
  flavorId: string
  imageId: string
  /** `auto` creates or uses a network of the project, `none` uses none; else the ids of networks. */
  networks: 'none' | 'auto' | readonly string[]
  keyName?: string
  /** Ids or names. Absent: Neutron's default group. */
  securityGroups?: readonly string[]
  /** As the service is called. The scheduler checks it like any other, so it has to be enabled. Absent: any. */
  host?: string
  metadata: Readonly<Record<string, string>>
}
/** `isInProgress`: it still holds allocations, or waits for a confirmation. `createdAt`: Nova's clock, ISO 8601 UTC. */
export type ListedMigration = Migration & { isInProgress: boolean; createdAt: string | null }

type ServerFilter = {
  host?: string
  projectId?: string
  /** Nova reads it as a regular expression. */
  name?: string
  /** ISO 8601; lists what changed since, deleted servers included. */
  changesSince?: string
  /** Stops after this number of pages; `isComplete` is then false. */
  maxPages?: number
}

/** `answeredAt`: Nova's clock (its Date header) at the first page; null when it sent none. */
export type NovaList<Item> = { items: readonly Item[]; isComplete: boolean; answeredAt: string | null }

/** Memory in MiB. */
type ProjectQuotas = { instances: number; cores: number; memoryMib: number }

/** `limit` null: unlimited. */
type LimitAndUse = { limit: number | null; used: number }
/** Memory in MiB. */
type OwnLimits = Readonly<Record<'instances' | 'cores' | 'memoryMib', LimitAndUse>>

/** `id` null: Nova generates one. Memory in MiB, disk in GiB. */
export type NewFlavor = Pick<
  Flavor,
  'name' | 'description' | 'vcpus' | 'memoryMib' | 'diskGib' | 'isPublic'
> & { id: string | null }

/** Nova 2.96 where it is offered and never below 2.90. Lists follow their pages. Every function throws OpenStackError. */
export type NovaClient = {
  /** The microversion that requests carry, such as `2.96`. */
  version: () => Promise<string>
  /** Highest microversion that the service offers. */
  maxVersion: () => Promise<string>
  listServices: () => Promise<ComputeService[]>
  listHypervisors: () => Promise<Hypervisor[]>
  /** Servers of all projects. */
  listServers: (filter?: ServerFilter) => Promise<NovaList<ListedServer>>
  /** Null: no such server. */
  getServer: (uuid: string) => Promise<Server | null>
  /** Private flavors and extra specs included. */
  listFlavors: () => Promise<Flavor[]>
  getFlavor: (id: string) => Promise<Flavor | null>
  listAggregates: () => Promise<HostAggregate[]>
  listMigrations: (filter?: {
    changesSince?: string
    serverUuid?: string
    maxPages?: number
  }) => Promise<NovaList<ListedMigration>>

  /** Nothing new is sent to the host. `reason`: 1 to 255 characters. `id` as listServices gives it. */
  disableService: (id: string, reason: string) => Promise<ComputeService>
  enableService: (id: string) => Promise<ComputeService>
  /** To a host that the scheduler chooses; answered before it moves. A server that can't be moved now is a 409. */
  liveMigrate: (serverUuid: string) => Promise<void>
  /** As above, by shutting it off; waits for `confirmResize` in VERIFY_RESIZE. */
  coldMigrate: (serverUuid: string) => Promise<void>
  /** Answered with its uuid before it is built. */
  createServer: (server: NewServer) => Promise<string>
  /** Answered before it is gone; one that is gone already is fine. */
  deleteServer: (serverUuid: string) => Promise<void>
  /**
   * What Nova answers as the quotas of a project; never of GPUs. With the unified limits driver these are Keystone's values, and
   * 0 where it has no registered limit; -1 is no limit.
   */
  getQuotas: (projectId: string) => Promise<ProjectQuotas>
  /**
   * The same of a project that has only the defaults, by Nova's names (`cores`), for all resources that Nova itself
   * limits.
   */
  getDefaultQuotas: (projectId: string) => Promise<ReadonlyMap<string, number>>
  /** Limits and use of the session's project, with any driver; never of GPUs. Every member may read them. */
  getOwnLimits: () => Promise<OwnLimits>
  /** Names of the key pairs of the session's user; other members of the project have others. */
  listKeyPairs: () => Promise<string[]>
  /** How many servers Nova counts for a project when it enforces its limit, with any driver. */
  countServers: (projectId: string) => Promise<number>
  /** Glance's images as Nova hands them on (2.35). */
  listImages: () => Promise<{ id: string; name: string }[]>
  /** Gives up what a cold migration still holds on the source. */
  confirmResize: (serverUuid: string) => Promise<void>

  /** A name or an id that exists is a 409. Extra specs are written afterwards; a private one has no projects at first. */
  createFlavor: (flavor: NewFlavor) => Promise<Flavor>
  /** All that Nova lets be changed of a flavor itself. */
  describeFlavor: (flavorId: string, description: string | null) => Promise<Flavor>
  /** Servers keep their copy. */
  deleteFlavor: (flavorId: string) => Promise<void>
  /** Merges into what is there. 400: a key of a known namespace that Nova does not know, or a value out of its range. */
  writeExtraSpecs: (flavorId: string, extraSpecs: Readonly<Record<string, string>>) => Promise<void>
  /** A key that is not there is a 404. */
  deleteExtraSpec: (flavorId: string, key: string) => Promise<void>
  /** Ids of the projects that may use a private flavor; of a public one a 404. */
  listFlavorAccess: (flavorId: string) => Promise<string[]>
  /** 409: the flavor is public, or the project may use it already. 400: Keystone has no such project. */
  addFlavorAccess: (flavorId: string, projectId: string) => Promise<void>
  /** A project that may not use it is a 404. */
  removeFlavorAccess: (flavorId: string, projectId: string) => Promise<void>
  /** Without zone, hosts and metadata. A name that is taken is a 409. */
  createAggregate: (name: string) => Promise<HostAggregate>
  /** One with hosts is a 400. */
  deleteAggregate: (id: number) => Promise<void>
  /** Nova updates Placement, for the host's root provider. A host in it is a 409, one that Nova does not know a 404. */
  addAggregateHost: (id: number, host: string) => Promise<HostAggregate>
  removeAggregateHost: (id: number, host: string) => Promise<HostAggregate>
  /** Merges; null takes a key away. */
  writeAggregateMetadata: (
    id: number,
    metadata: Readonly<Record<string, string | null>>,
  ) => Promise<HostAggregate>
}
