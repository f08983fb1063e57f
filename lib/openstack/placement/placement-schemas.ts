import * as z from 'zod'

const amounts = z.record(z.string(), z.number())

export const versionsSchema = z.object({ versions: z.array(z.object({ max_version: z.string() })).min(1) })

export const providerSchema = z.object({
  uuid: z.string(),
  name: z.string(),
  generation: z.number().int(),
  parent_provider_uuid: z.string().nullable(),
  root_provider_uuid: z.string(),
})
export const providersSchema = z.object({ resource_providers: z.array(providerSchema) })

export const inventorySchema = z.object({
  total: z.number(),
  reserved: z.number(),
  min_unit: z.number(),
  max_unit: z.number(),
  step_size: z.number(),
  allocation_ratio: z.number(),
})
export const inventoriesSchema = z.object({
  resource_provider_generation: z.number().int(),
  inventories: z.record(z.string(), inventorySchema),
})
export const usagesSchema = z.object({ resource_provider_generation: z.number().int(), usages: amounts })
export const traitsSchema = z.object({
  resource_provider_generation: z.number().int(),
  traits: z.array(z.string()),
})
export const aggregatesSchema = z.object({
  resource_provider_generation: z.number().int(),
  aggregates: z.array(z.string()),
})
export const providerAllocationsSchema = z.object({
  resource_provider_generation: z.number().int(),
  allocations: z.record(z.string(), z.object({ resources: amounts })),
})
export const consumerSchema = z.object({
  allocations: z.record(z.string(), z.object({ resources: amounts })),
  project_id: z.string().nullish(),
  user_id: z.string().nullish(),
  consumer_generation: z.number().nullish(),
  consumer_type: z.string().nullish(),
})

const summarySchema = z.object({
  resources: z.record(z.string(), z.object({ capacity: z.number(), used: z.number() })),
  traits: z.array(z.string()),
  parent_provider_uuid: z.string().nullable(),
  root_provider_uuid: z.string(),
})
/** The requests are only counted: thousands come when the answer is read for its summaries. */
export const summariesSchema = z.object({
  allocation_requests: z.array(z.unknown()),
  provider_summaries: z.record(z.string(), summarySchema),
})
export const candidatesSchema = z.object({
  allocation_requests: z.array(
    z.object({
      allocations: z.record(z.string(), z.object({ resources: amounts })),
      mappings: z.record(z.string(), z.array(z.string())).default({}),
    }),
  ),
  provider_summaries: z.record(z.string(), summarySchema),
})

export const traitNamesSchema = z.object({ traits: z.array(z.string()) })
export const resourceClassesSchema = z.object({ resource_classes: z.array(z.object({ name: z.string() })) })
/** From 1.38 on by consumer type, each with a `consumer_count`; flat before. */
export const projectUsagesSchema = z.object({ usages: z.record(z.string(), z.union([z.number(), amounts])) })
