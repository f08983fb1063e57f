import * as z from 'zod/mini'
import type { QUOTA_SORTS, QUOTA_STATES } from '../choices'
import { pageShape } from './page'
import { driverAnswerSchema } from './quota-driver'

const ORIGINS = ['own', 'default', 'missing'] as const

/** The limit that Nova enforces. `number` may be -1 on releases that take it literally. */
export const quotaLimitSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('number'), value: z.int(), origin: z.enum(ORIGINS) }),
  z.object({ kind: z.literal('unlimited'), origin: z.enum(ORIGINS) }),
  z.object({ kind: z.literal('unknown'), because: z.string(), origin: z.enum(ORIGINS) }),
])
export type QuotaLimit = z.infer<typeof quotaLimitSchema>

const knownSchema = z.object({ value: z.nullable(z.number()), reason: z.nullable(z.string()) })

const classSchema = z.object({
  /** `class:VGPU`. */
  resourceName: z.string(),
  isGpu: z.boolean(),
  /** Of a project that has only the default. */
  standard: quotaLimitSchema,
  /** By the drivers' word; null: no GPU provider offers the class. */
  capacity: z.nullable(knownSchema),
  /** By Placement. */
  advertised: z.nullable(z.number()),
  used: z.nullable(z.number()),
  /** Of the limits of all projects; null: one is unknown. */
  sum: z.nullable(z.number()),
  unlimitedProjects: z.int(),
  ownCount: z.int(),
  /** Projects that use more than their limit, and those that use nine tenths of it. */
  over: z.int(),
  near: z.int(),
})
export type QuotaClass = z.infer<typeof classSchema>

const rowSchema = z.object({
  projectId: z.string(),
  projectName: z.string(),
  resourceName: z.string(),
  limit: quotaLimitSchema,
  /** Placement's count over all consumers of the project. */
  used: knownSchema,
  /** Part of it that moves hold for the second time, and whose. */
  moving: z.object({ amount: z.number(), servers: z.array(z.string()) }),
  left: z.nullable(z.number()),
})
export type QuotaRow = z.infer<typeof rowSchema>

export type QuotaSort = (typeof QUOTA_SORTS)[number]

export type QuotaState = (typeof QUOTA_STATES)[number]

export const quotaListSchema = z.object({
  cloud: z.string(),
  /** False: no reading round has ended yet. */
  isRead: z.boolean(),
  /** When Keystone's limits were read last, and when Placement counted; null: never. */
  readAt: z.nullable(z.string()),
  countedAt: z.nullable(z.string()),
  /** Projects whose use Placement is still being queried for. */
  uncountedProjects: z.int(),
  /** Why the limits are older than they should be; null: they are not. */
  gap: z.nullable(z.string()),
  /** The region that Nova looks in. */
  region: z.nullable(z.string()),
  /** Null: unknown, and `because` has the reason. */
  table: z.nullable(
    z.object({
      classes: z.array(classSchema),
      rows: z.array(rowSchema),
      /** Rows of the requested classes: over and near their limits, with project limits, and unused. */
      counts: z.object({ over: z.int(), near: z.int(), own: z.int(), idle: z.int() }),
    }),
  ),
  ...pageShape,
  because: z.nullable(z.string()),
  /** What the hosts' nova.conf and the rows in Keystone say about Nova using them at all. */
  hasSign: z.boolean(),
  /** An admin's answer about the driver, if it is used; null: agents report it, or it is unknown. */
  driverAnswer: z.nullable(driverAnswerSchema),
  /** GPUs by PCI alias on hosts with GPUs, those with most devices of `total`; null: Nova's servers were never read. */
  aliases: z.object({
    /** Whether Nova counts them before it makes a server; null: its release is not known. */
    areCounted: z.nullable(z.boolean()),
    uses: z.nullable(
      z.array(
        z.object({
          projectId: z.string(),
          projectName: z.string(),
          alias: z.string(),
          devices: z.int(),
          servers: z.int(),
        }),
      ),
    ),
    total: z.int(),
  }),
})
export type QuotaList = z.infer<typeof quotaListSchema>
