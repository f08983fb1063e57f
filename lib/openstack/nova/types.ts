import type {
  ComputeService,
  Flavor,
  HostAggregate,
  Hypervisor,
  Migration,
  Server,
} from '@/lib/domain/cloud/types'

/** `isDeleted` only occurs in lists of changes. */
export type ListedServer = Server & { isDeleted: boolean }
/** `isInProgress`: it still holds allocations, or waits for a confirmation. `createdAt`: Nova's clock, ISO 8601 UTC. */
export type ListedMigration = Migration & { isInProgress: boolean; createdAt: string | null }

type ServerFilter = {
  host?: string
  projectId?: string
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
  /** Gives up what a cold migration still holds on the source. */
  confirmResize: (serverUuid: string) => Promise<void>
}
