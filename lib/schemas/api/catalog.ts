import * as z from 'zod/mini'
import { CATALOG_LIST, CATALOG_PURPOSES } from '../choices'
import { pageShape } from './page'
import { moneySchema } from './price'

/** What separates servers on one card. `whole`: the server has it alone. */
const isolation = z.enum(CATALOG_LIST.states)
export type CatalogIsolation = z.infer<typeof isolation>
export type CatalogSort = (typeof CATALOG_LIST.sorts)[number]
const purpose = z.enum(CATALOG_PURPOSES)
export type CatalogPurpose = z.infer<typeof purpose>

const fractionSchema = z.object({ part: z.int(), of: z.int() })

const cardSchema = z.object({
  /** `Tesla T4`. */
  model: z.string(),
  /** `T4-4C`; null: no vGPU, such as the whole card. */
  typeName: z.nullable(z.string()),
  memoryMib: z.nullable(z.int()),
  isolation: z.nullable(isolation),
  /** Of the card. MIG: in slices. */
  share: z.nullable(
    z.object({
      compute: fractionSchema,
      /** MIG alone; null: unknown, or shared with other vGPUs of the instance. */
      memory: z.nullable(fractionSchema),
      /** vGPUs that take turns in one GPU instance; null: one has it alone. */
      perInstance: z.nullable(z.int()),
    }),
  ),
  displays: z.nullable(z.int()),
  maxResolution: z.nullable(z.string()),
  series: z.nullable(z.enum(['Q', 'B', 'A', 'C'])),
})
export type CatalogCard = z.infer<typeof cardSchema>

const headroomSchema = z.discriminatedUnion('state', [
  /** `more`: servers that the limits still allow; null: no limit. */
  z.object({ state: z.literal('available'), more: z.nullable(z.int()) }),
  z.object({
    state: z.literal('short'),
    short: z.array(
      z.object({ resourceName: z.string(), limit: z.int(), used: z.number(), needs: z.number() }),
    ),
  }),
  z.object({ state: z.literal('unknown') }),
])

const catalogFlavorSchema = z.object({
  id: z.string(),
  name: z.string(),
  vcpus: z.int(),
  memoryMib: z.int(),
  diskGib: z.int(),
  /** GPUs of one server. */
  gpus: z.int(),
  /** Kinds of card that it may land on; empty: none is known. */
  cards: z.array(cardSchema),
  purposes: z.array(purpose),
  /** Branches of the hosts' vGPU drivers, `550`, whose guest drivers an image needs; null: not known, or none is needed. */
  driverBranches: z.nullable(z.array(z.string())),
  availability: z.enum(['free', 'few', 'none', 'unknown']),
  /** False: several at once may be refused although they fit one by one. */
  startsTogether: z.nullable(z.boolean()),
  headroom: headroomSchema,
  /** Of one server, by the price list of today; null: unknown. */
  pricePerHour: z.nullable(moneySchema),
  /** The person has requested a notification when one is free. */
  isWatched: z.boolean(),
})
export type CatalogFlavor = z.infer<typeof catalogFlavorSchema>

const quotaSchema = z.object({
  /** `class:VGPU`. */
  resourceName: z.string(),
  kind: z.enum(['vgpu', 'passthrough', 'vcpu', 'memory']),
  /** Null: no limit. */
  limit: z.nullable(z.int()),
  /** Of the own project, as Placement counts; null: it could not be read now. */
  used: z.nullable(z.number()),
  /** Of GPUs: what own servers hold, and what moves of them hold in addition. Null: of no GPUs. */
  count: z.nullable(
    z.object({
      servers: z.int(),
      held: z.number(),
      moving: z.object({ amount: z.number(), servers: z.array(z.string()) }),
    }),
  ),
})
export type CatalogQuota = z.infer<typeof quotaSchema>

export const catalogSchema = z.object({
  cloud: z.string(),
  project: z.string(),
  /** `unread`: the cloud has not been read yet; `stale`: what was read last is too old to count by. */
  state: z.enum(['ready', 'stale', 'unread']),
  /** Of the GPU classes that the flavors request, of CPU and memory; null: the cloud does not limit them, or it is unknown. */
  quotas: z.nullable(z.array(quotaSchema)),
  /** Passthrough GPUs of own servers that no quota counts; null: no flavor gives such. `used` null: unknown. */
  uncountedGpus: z.nullable(z.object({ used: z.nullable(z.int()) })),
  /** Own servers with a GPU, by what their hosts report of them. */
  servers: z.object({ all: z.int(), vgpu: z.int(), passthrough: z.int(), unknown: z.int() }),
  counts: z.object({ all: z.int() }),
  /** The values by which flavors of the project can be filtered. */
  filters: z.object({
    purposes: z.array(purpose),
    memoryGib: z.array(z.int()),
    isolations: z.array(isolation),
  }),
  /** The price list has a price of at least one flavor of the project. */
  hasPrices: z.boolean(),
  flavors: z.array(catalogFlavorSchema),
  ...pageShape,
  dashboards: z.array(z.object({ kind: z.enum(['horizon', 'skyline']), url: z.string() })),
})
export type Catalog = z.infer<typeof catalogSchema>

export const ownServerListSchema = z.object({
  project: z.string(),
  /** False: the cloud has not been read yet. */
  isRead: z.boolean(),
  /** The cloud has not answered for a while, so that servers may be others by now. */
  isStale: z.boolean(),
  servers: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      status: z.string(),
      flavorName: z.nullable(z.string()),
      createdAt: z.nullable(z.string()),
      /** Null: its host does not tell now. `typeName` null: the whole card. */
      gpus: z.nullable(
        z.array(z.object({ model: z.string(), typeName: z.nullable(z.string()), count: z.int() })),
      ),
      license: z.nullable(z.string()),
      /** Version of NVIDIA's driver in the guest; null: its host does not tell. */
      guestDriver: z.nullable(z.string()),
    }),
  ),
})
export type OwnServerList = z.infer<typeof ownServerListSchema>
export type OwnServerDto = OwnServerList['servers'][number]

export const catalogWatchParamsSchema = z.object({
  flavor: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(255)),
})
export type CatalogWatchParams = z.infer<typeof catalogWatchParamsSchema>
