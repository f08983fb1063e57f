import type * as z from 'zod'
import { toQuery } from '../to-query'
import type { VersionedCall } from '../versioned-call'
import {
  aggregatesSchema,
  candidatesSchema,
  consumerSchema,
  inventoriesSchema,
  type inventorySchema,
  projectUsagesSchema,
  providerAllocationsSchema,
  type providerSchema,
  providersSchema,
  resourceClassesSchema,
  summariesSchema,
  traitNamesSchema,
  traitsSchema,
  usagesSchema,
} from './placement-schemas'
import type { InventoryRecord, ListedProvider, PlacementClient, ProviderSummary } from './types'

export const toListedProvider = (raw: z.infer<typeof providerSchema>): ListedProvider => ({
  uuid: raw.uuid,
  name: raw.name,
  generation: raw.generation,
  parentUuid: raw.parent_provider_uuid,
  rootUuid: raw.root_provider_uuid,
})

const toListedProviders = ({ resource_providers }: z.infer<typeof providersSchema>): ListedProvider[] =>
  resource_providers.map(toListedProvider)

export const toInventory = (raw: z.infer<typeof inventorySchema>): InventoryRecord => ({
  total: raw.total,
  reserved: raw.reserved,
  minUnit: raw.min_unit,
  maxUnit: raw.max_unit,
  stepSize: raw.step_size,
  allocationRatio: raw.allocation_ratio,
})

type RawSummaries = z.infer<typeof summariesSchema>['provider_summaries']

const toSummaries = (raw: RawSummaries): ReadonlyMap<string, ProviderSummary> =>
  new Map(
    Object.entries(raw).map(([uuid, summary]) => [
      uuid,
      {
        parentUuid: summary.parent_provider_uuid,
        rootUuid: summary.root_provider_uuid,
        traits: summary.traits,
        resources: summary.resources,
      },
    ]),
  )

export const providerPath = (uuid: string, part = '') =>
  `/resource_providers/${encodeURIComponent(uuid)}${part}`

/** Sums over consumer types; `consumer_count` is no resource class. */
const sumUsages = (usages: z.infer<typeof projectUsagesSchema>['usages']): Record<string, number> => {
  const sums = new Map<string, number>()
  const add = (name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount)
  for (const [name, value] of Object.entries(usages)) {
    if (typeof value === 'number') add(name, value)
    else
      for (const [inner, amount] of Object.entries(value)) if (inner !== 'consumer_count') add(inner, amount)
  }
  return Object.fromEntries(sums)
}

type ProviderReads = Pick<
  PlacementClient,
  'listProviders' | 'getInventories' | 'getUsages' | 'getTraits' | 'getAggregates' | 'getAllocations'
>

export const createProviderReads = (call: VersionedCall): ProviderReads => {
  const get = <Schema extends z.ZodType>(schema: Schema, path: string) =>
    call.read(schema, { method: 'GET', path })
  const readAll = call.createRepeatedRead(providersSchema, toListedProviders)
  return {
    listProviders: async ({ inTree, name, memberOf } = {}) => {
      const query = toQuery({ in_tree: inTree, name, member_of: memberOf })
      const path = `/resource_providers${query}`
      return query === '' ? readAll(path) : toListedProviders(await get(providersSchema, path))
    },
    getInventories: async (uuid) => {
      const raw = await get(inventoriesSchema, providerPath(uuid, '/inventories'))
      const entries = Object.entries(raw.inventories)
      return {
        generation: raw.resource_provider_generation,
        inventories: Object.fromEntries(entries.map(([name, inventory]) => [name, toInventory(inventory)])),
      }
    },
    getUsages: async (uuid) => {
      const raw = await get(usagesSchema, providerPath(uuid, '/usages'))
      return { generation: raw.resource_provider_generation, usages: raw.usages }
    },
    getTraits: async (uuid) => {
      const raw = await get(traitsSchema, providerPath(uuid, '/traits'))
      return { generation: raw.resource_provider_generation, traits: raw.traits }
    },
    getAggregates: async (uuid) => {
      const raw = await get(aggregatesSchema, providerPath(uuid, '/aggregates'))
      return { generation: raw.resource_provider_generation, aggregateUuids: raw.aggregates }
    },
    getAllocations: async (providerUuid) => {
      const raw = await get(providerAllocationsSchema, providerPath(providerUuid, '/allocations'))
      return {
        generation: raw.resource_provider_generation,
        allocations: Object.entries(raw.allocations).map(([consumerUuid, { resources }]) => ({
          consumerUuid,
          providerUuid,
          resources,
        })),
      }
    },
  }
}

type CloudReads = Pick<
  PlacementClient,
  | 'getConsumer'
  | 'listSummaries'
  | 'listCandidates'
  | 'listTraits'
  | 'listResourceClasses'
  | 'getProjectUsages'
>

export const createCloudReads = (call: VersionedCall): CloudReads => {
  const get = <Schema extends z.ZodType>(schema: Schema, path: string) =>
    call.read(schema, { method: 'GET', path })
  const readSummaries = call.createRepeatedRead(summariesSchema, (raw) => ({
    requestCount: raw.allocation_requests.length,
    summaries: toSummaries(raw.provider_summaries),
  }))
  return {
    getConsumer: async (consumerUuid) => {
      const raw = await get(consumerSchema, `/allocations/${encodeURIComponent(consumerUuid)}`)
      return {
        allocations: Object.entries(raw.allocations).map(([providerUuid, { resources }]) => ({
          consumerUuid,
          providerUuid,
          resources,
        })),
        projectId: raw.project_id ?? null,
        userId: raw.user_id ?? null,
        consumerGeneration: raw.consumer_generation ?? null,
        consumerType: raw.consumer_type ?? null,
      }
    },
    listSummaries: (resourceClass) =>
      readSummaries(`/allocation_candidates?resources=${encodeURIComponent(resourceClass)}:1`),
    listCandidates: async (query) => {
      const raw = await get(candidatesSchema, `/allocation_candidates?${query}`)
      return {
        requests: raw.allocation_requests.map(({ allocations, mappings }) => ({
          allocations: Object.fromEntries(
            Object.entries(allocations).map(([uuid, { resources }]) => [uuid, resources]),
          ),
          mappings,
        })),
        summaries: toSummaries(raw.provider_summaries),
      }
    },
    listTraits: async ({ prefix, isAssociated } = {}) => {
      const name = prefix === undefined ? undefined : `startswith:${prefix}`
      const associated = isAssociated === undefined ? undefined : String(isAssociated)
      return (await get(traitNamesSchema, `/traits${toQuery({ name, associated })}`)).traits
    },
    listResourceClasses: async () => {
      const { resource_classes } = await get(resourceClassesSchema, '/resource_classes')
      return resource_classes.map(({ name }) => name)
    },
    getProjectUsages: async (projectId) => {
      const raw = await get(projectUsagesSchema, `/usages${toQuery({ project_id: projectId })}`)
      return sumUsages(raw.usages)
    },
  }
}
