import type {
  ComputeService,
  Flavor,
  HostAggregate,
  Hypervisor,
  Migration,
  Server,
} from '@/lib/domain/cloud/types'

/** `isDeleted` only occurs in lists of changes. */
export type ListedServer = Server & {
  isDeleted: boolean
  /** What its maker wrote beside it. */
  metadata: Readonly<Record<string, string>>
}

/** A server on one host, made by an admin (2.74). */
export type NewServer = {
  name: string
  flavorId: string
  imageId: string
  /** `auto` makes or takes a network of the project, `none` takes none. */
  networks: 'none' | 'auto'
  /** As the service is called. The scheduler checks it like any other, so it has to be enabled. */
  host: string
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
  /** Stops after so many pages; `isComplete` is then false. */
  maxPages?: number
}

/** `answeredAt`: Nova's clock (its Date header) at the first page; null when it sent none. */
export type NovaList<Item> = { items: readonly Item[]; isComplete: boolean; answeredAt: string | null }

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
  /** Glance's images as Nova hands them on (2.35). */
  listImages: () => Promise<{ id: string; name: string }[]>
  /** Gives up what a cold migration still holds on the source. */
  confirmResize: (serverUuid: string) => Promise<void>
}
