import * as z from 'zod/mini'
import { CATALOG_PURPOSES } from '../choices'
import { moneySchema } from './price'

const cardSchema = z.object({
  /** `Tesla T4`. */
  model: z.string(),
  /** `T4-4C`; null: the whole card. */
  typeName: z.nullable(z.string()),
  memoryMib: z.nullable(z.int()),
  /** vGPUs of the type on one card; 1: the card is not shared. */
  perCard: z.nullable(z.int()),
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
  purposes: z.array(z.enum(CATALOG_PURPOSES)),
  /** Branches of the hosts' vGPU drivers, `550`, whose guest drivers an image needs; null: not known, or none is needed. */
  driverBranches: z.nullable(z.array(z.string())),
  availability: z.enum(['free', 'few', 'none', 'unknown']),
  /** Within some hours, a day, three days or a week one is usually free again; null: one is free, or it is unknown. */
  usualWait: z.nullable(z.enum(['hours', 'day', 'days', 'week'])),
  /** False: several at once may be refused although they fit one by one. */
  startsTogether: z.nullable(z.boolean()),
  headroom: headroomSchema,
  /** Of one server, by the price list of today; null: unknown. */
  pricePerHour: z.nullable(moneySchema),
  /** The person has requested a notification when one is free. */
  isWatched: z.boolean(),
})
export type CatalogFlavor = z.infer<typeof catalogFlavorSchema>

const catalogLimitSchema = z.object({
  /** `class:VGPU`. */
  resourceName: z.string(),
  /** Null: no limit. */
  limit: z.nullable(z.int()),
  /** Of the own project; null: it could not be read now. */
  used: z.nullable(z.number()),
})
export type CatalogLimit = z.infer<typeof catalogLimitSchema>

export const catalogSchema = z.object({
  cloud: z.string(),
  project: z.string(),
  /** `unread`: the cloud has not been read yet; `stale`: what was read last is too old to count by. */
  state: z.enum(['ready', 'stale', 'unread']),
  /** Of the GPU classes that the flavors ask for; null: the cloud does not limit them, or it is not known. */
  limits: z.nullable(z.array(catalogLimitSchema)),
  flavors: z.array(catalogFlavorSchema),
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
