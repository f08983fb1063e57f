import * as z from 'zod/mini'

/** The possible parts of a flavor, by the last reports of hosts and OpenStack. */
export const flavorOffersSchema = z.object({
  cloud: z.string(),
  /** vGPU types that pGPUs carry in Placement now. */
  types: z.array(
    z.object({
      typeId: z.string(),
      name: z.string(),
      framebufferMib: z.nullable(z.int()),
      heads: z.nullable(z.int()),
      maxResolution: z.nullable(z.string()),
      models: z.array(z.string()),
      resourceClass: z.string(),
      trait: z.nullable(z.string()),
      isClassEnough: z.boolean(),
      because: z.nullable(z.string()),
      pgpuCount: z.int(),
      hostCount: z.int(),
    }),
  ),
  /** `[pci] alias` of the hosts' own nova.conf. */
  aliases: z.array(z.object({ name: z.string(), means: z.string(), hostCount: z.int() })),
  /** Custom traits that GPU providers carry. */
  traits: z.array(z.string()),
  /** Null: Keystone has not reported them. */
  projects: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
  /** Null: Nova has not reported them. */
  aggregates: z.nullable(
    z.array(
      z.object({
        name: z.string(),
        hosts: z.array(z.string()),
        properties: z.array(z.object({ key: z.string(), value: z.string() })),
      }),
    ),
  ),
  /** Names of nova-compute services on hosts with GPUs. */
  hosts: z.array(z.string()),
  /** Null: Nova has not reported them. */
  flavors: z.nullable(z.array(z.object({ id: z.string(), name: z.string(), isPublic: z.boolean() }))),
})
export type FlavorOffers = z.infer<typeof flavorOffersSchema>
