import type { Allocation } from '@/lib/domain/cloud/types'

/** One provider as GET /resource_providers lists it. */
export type ListedProvider = {
  uuid: string
  name: string
  generation: number
  parentUuid: string | null
  rootUuid: string
}

/** An inventory as Placement stores it. */
export type InventoryRecord = {
  total: number
  reserved: number
  minUnit: number
  maxUnit: number
  stepSize: number
  allocationRatio: number
}

type ProviderInventories = {
  generation: number
  inventories: Readonly<Record<string, InventoryRecord>>
}

type ProviderUsages = { generation: number; usages: Readonly<Record<string, number>> }
type ProviderTraits = { generation: number; traits: readonly string[] }
type ProviderAggregates = { generation: number; aggregateUuids: readonly string[] }
type ProviderAllocations = { generation: number; allocations: readonly Allocation[] }

/** The values of one provider in a candidates answer. Capacity = (total - reserved) x ratio. */
export type ProviderSummary = {
  parentUuid: string | null
  rootUuid: string
  traits: readonly string[]
  resources: Readonly<Record<string, { capacity: number; used: number }>>
}

/** One way to place a request: what is taken from which provider, and which provider serves which group. */
type AllocationRequest = {
  allocations: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Providers by group suffix; the group without suffix is ''. */
  mappings: Readonly<Record<string, readonly string[]>>
}

type AllocationCandidates = {
  requests: readonly AllocationRequest[]
  summaries: ReadonlyMap<string, ProviderSummary>
}

/** Summaries of all trees with a candidate, and how many candidates there were; the candidates themselves are not read. */
type CandidateSummaries = { requestCount: number; summaries: ReadonlyMap<string, ProviderSummary> }

/** What one consumer holds, over all providers. */
type ConsumerAllocations = {
  allocations: readonly Allocation[]
  projectId: string | null
  userId: string | null
  /** Null: the consumer is unknown to Placement, or holds nothing. */
  consumerGeneration: number | null
  consumerType: string | null
}

type ConsumerWrite = {
  consumerUuid: string
  /** By provider uuid. */
  allocations: Readonly<Record<string, Readonly<Record<string, number>>>>
  projectId: string
  userId: string
  /** Null for a new consumer. */
  consumerGeneration: number | null
  consumerType?: string
}

/** Placement, microversion 1.39 where it is offered and never below 1.33. Every function throws OpenStackError. */
export type PlacementClient = {
  /** The microversion that requests carry, such as `1.39`. */
  version: () => Promise<string>
  /** Highest microversion that the service offers. */
  maxVersion: () => Promise<string>
  /** `memberOf`: uuid of an aggregate; one that no provider is in gives an empty list. */
  listProviders: (filter?: { inTree?: string; name?: string; memberOf?: string }) => Promise<ListedProvider[]>
  getInventories: (uuid: string) => Promise<ProviderInventories>
  getUsages: (uuid: string) => Promise<ProviderUsages>
  getTraits: (uuid: string) => Promise<ProviderTraits>
  getAggregates: (uuid: string) => Promise<ProviderAggregates>
  getAllocations: (providerUuid: string) => Promise<ProviderAllocations>
  getConsumer: (consumerUuid: string) => Promise<ConsumerAllocations>
  /** Candidates for one unit of one class alone, read for their summaries. */
  listSummaries: (resourceClass: string) => Promise<CandidateSummaries>
  /** Candidates for a flavor's own query (`resources1=VGPU:1&required1=…`). An unknown trait is a 400. */
  listCandidates: (query: string) => Promise<AllocationCandidates>
  listTraits: (filter?: { prefix?: string; isAssociated?: boolean }) => Promise<string[]>
  listResourceClasses: () => Promise<string[]>
  /** Usage of one project by class; `total` over consumer types. */
  getProjectUsages: (projectId: string) => Promise<Readonly<Record<string, number>>>

  createProvider: (input: { uuid: string; name: string; parentUuid?: string }) => Promise<ListedProvider>
  deleteProvider: (uuid: string) => Promise<void>
  /** Replaces all inventories. A stale generation is a 409 `placement.concurrent_update`. */
  putInventories: (
    uuid: string,
    input: { generation: number; inventories: Readonly<Record<string, InventoryRecord>> },
  ) => Promise<ProviderInventories>
  /** Replaces the whole list; each trait must exist. */
  putTraits: (
    uuid: string,
    input: { generation: number; traits: readonly string[] },
  ) => Promise<ProviderTraits>
  putAggregates: (
    uuid: string,
    input: { generation: number; aggregateUuids: readonly string[] },
  ) => Promise<ProviderAggregates>
  createTrait: (name: string) => Promise<void>
  deleteTrait: (name: string) => Promise<void>
  createResourceClass: (name: string) => Promise<void>
  deleteResourceClass: (name: string) => Promise<void>
  putConsumer: (input: ConsumerWrite) => Promise<void>
  /** Bumps no provider's generation. */
  deleteConsumer: (consumerUuid: string) => Promise<void>
}
