import * as z from 'zod'

export const versionSchema = z.object({ version: z.object({ version: z.string() }) })

const linksSchema = z.array(z.object({ rel: z.string(), href: z.string() })).default([])

/** Entries of a cell that is down have only binary, host and status. */
const serviceSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  binary: z.string(),
  host: z.string(),
  status: z.string(),
  state: z.string().nullish(),
  zone: z.string().nullish(),
  updated_at: z.string().nullish(),
  disabled_reason: z.string().nullish(),
  forced_down: z.boolean().default(false),
})
export const servicesSchema = z.object({ services: z.array(serviceSchema) })
export const updatedServiceSchema = z.object({ service: serviceSchema })

export const hypervisorsSchema = z.object({
  hypervisors: z.array(
    z.object({
      id: z.string(),
      hypervisor_hostname: z.string(),
      state: z.string().nullish(),
      status: z.string().nullish(),
      host_ip: z.string().nullish(),
      hypervisor_version: z.number().nullish(),
      service: z.object({ host: z.string() }),
    }),
  ),
  hypervisors_links: linksSchema,
})

/** Servers of a cell that is down have only id, status, tenant_id and created. */
export const serverSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  tenant_id: z.string().nullish(),
  user_id: z.string().nullish(),
  status: z.string(),
  created: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).default({}),
  'OS-EXT-STS:task_state': z.string().nullish(),
  'OS-EXT-SRV-ATTR:host': z.string().nullish(),
  'OS-EXT-SRV-ATTR:hypervisor_hostname': z.string().nullish(),
  'OS-EXT-SRV-ATTR:instance_name': z.string().nullish(),
  fault: z.object({ message: z.string().nullish() }).nullish(),
  flavor: z
    .object({
      original_name: z.string().nullish(),
      vcpus: z.number().nullish(),
      ram: z.number().nullish(),
      disk: z.number().nullish(),
      extra_specs: z.record(z.string(), z.string()).default({}),
    })
    .nullish(),
})
export const serversSchema = z.object({ servers: z.array(serverSchema), servers_links: linksSchema })

export const createdServerSchema = z.object({ server: z.object({ id: z.string() }) })

export const imagesSchema = z.object({
  images: z.array(z.object({ id: z.string(), name: z.string().nullish() })),
})

export const flavorSchema = z.object({
  id: z.string(),
  name: z.string(),
  vcpus: z.number(),
  ram: z.number(),
  disk: z.number(),
  /** An empty text for none before 2.75. */
  swap: z.union([z.number(), z.literal('')]).default(0),
  description: z.string().nullish(),
  'OS-FLV-EXT-DATA:ephemeral': z.number().default(0),
  'OS-FLV-DISABLED:disabled': z.boolean().default(false),
  'os-flavor-access:is_public': z.boolean().default(true),
  extra_specs: z.record(z.string(), z.string()).default({}),
})
export const flavorsSchema = z.object({ flavors: z.array(flavorSchema), flavors_links: linksSchema })

/** The answer to a creation has neither hosts nor metadata. */
export const aggregateSchema = z.object({
  id: z.number().int(),
  uuid: z.string(),
  name: z.string(),
  availability_zone: z.string().nullish(),
  hosts: z.array(z.string()).default([]),
  metadata: z.record(z.string(), z.string()).default({}),
})
export const aggregatesSchema = z.object({ aggregates: z.array(aggregateSchema) })

export const migrationsSchema = z.object({
  migrations: z.array(
    z.object({
      uuid: z.string(),
      instance_uuid: z.string(),
      /** Null on rows of old releases; nothing newer is known. */
      migration_type: z.enum(['migration', 'live-migration', 'resize', 'evacuation']).catch('migration'),
      status: z.string(),
      source_compute: z.string().nullish(),
      dest_compute: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
  migrations_links: linksSchema,
})

/** The values include the project's id. */
export const quotaDefaultsSchema = z.object({
  quota_set: z.record(z.string(), z.union([z.number().int(), z.string()])),
})

export const keyPairsSchema = z.object({
  keypairs: z.array(z.object({ keypair: z.object({ name: z.string() }) })),
  keypairs_links: linksSchema,
})

/** -1: unlimited. */
export const ownLimitsSchema = z.object({
  limits: z.object({
    absolute: z.object({
      maxTotalInstances: z.number().int(),
      maxTotalCores: z.number().int(),
      maxTotalRAMSize: z.number().int(),
      totalInstancesUsed: z.number().int(),
      totalCoresUsed: z.number().int(),
      totalRAMUsed: z.number().int(),
    }),
  }),
})

export const quotaDetailSchema = z.object({
  quota_set: z.object({ instances: z.object({ in_use: z.number().int() }) }),
})

export const quotaSetSchema = z.object({
  quota_set: z.object({ instances: z.number().int(), cores: z.number().int(), ram: z.number().int() }),
})
