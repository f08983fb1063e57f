import * as z from 'zod/mini'
import type { REQUEST_GROUPS } from '../choices'
import { limitChangeSchema } from './limit-change'
import { pageShape } from './page'
import { quotaLimitSchema } from './quota'

const status = z.enum([
  'open',
  'writing',
  'unwritten',
  'reverted',
  'granted',
  'ending',
  'ended',
  'left',
  'declined',
  'withdrawn',
])

/** What the project and the cloud's admins both see of a request. */
const sharedSchema = z.object({
  /** `class:VGPU`. */
  resourceName: z.string(),
  value: z.int(),
  until: z.nullable(z.string()),
  reason: z.string(),
  status,
  madeBy: z.string(),
  madeAt: z.string(),
  decidedAt: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  grantedValue: z.nullable(z.int()),
  grantedUntil: z.nullable(z.string()),
  /** When the change that wrote the limit was rolled back; null: it was not. */
  revertedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})

/** A request as its project sees it. It contains nothing about other projects, admins or the hardware. */
export const ownRequestSchema = z.extend(sharedSchema, {
  /** Within the project. */
  number: z.int(),
})
export type OwnRequest = z.infer<typeof ownRequestSchema>

export const ownRequestListSchema = z.object({
  projectName: z.string(),
  /** What can be requested; null: unknown now. `limit` null: unknown. */
  classes: z.nullable(
    z.array(
      z.object({
        resourceName: z.string(),
        /** What flavors of the project get by it; null: unknown now. */
        kind: z.nullable(z.enum(['vgpu', 'passthrough'])),
        limit: z.nullable(quotaLimitSchema),
      }),
    ),
  ),
  requests: z.array(ownRequestSchema),
})
export type OwnRequestList = z.infer<typeof ownRequestListSchema>

const changeRefSchema = z.object({ id: z.int(), state: z.string() })

const requestSchema = z.extend(sharedSchema, {
  id: z.int(),
  version: z.int(),
  cloud: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  decidedBy: z.nullable(z.string()),
  /** The project's own limit when it was granted; null: it had none, or nothing was granted. */
  beforeValue: z.nullable(z.int()),
  change: z.nullable(changeRefSchema),
  backChange: z.nullable(changeRefSchema),
  /** Why the end date did not take the limit back, and why it could not be dealt with yet. */
  endNote: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})
export type QuotaRequest = z.infer<typeof requestSchema>

const listedSchema = z.extend(requestSchema, {
  /** Now; null: not known. */
  limit: z.nullable(quotaLimitSchema),
  /** Of the class over all projects; null: not known. */
  promised: z.nullable(z.number()),
  capacity: z.nullable(z.number()),
})
export type ListedRequest = z.infer<typeof listedSchema>

export type RequestGroup = (typeof REQUEST_GROUPS)[number]

export const requestListSchema = z.object({
  cloud: z.string(),
  /** Of all requests of the cloud. */
  counts: z.object({ open: z.int(), granted: z.int(), past: z.int() }),
  /** One page of those that match. */
  requests: z.array(listedSchema),
  ...pageShape,
})
export type RequestList = z.infer<typeof requestListSchema>

export const requestDetailSchema = z.extend(requestSchema, {
  /** The effect of an approval without changes; null: it is decided, or `because` has the reason why it is unknown. */
  effect: z.nullable(
    z.object({
      change: limitChangeSchema,
      /** Placement's count of what the project holds of the class, and its limit now. */
      used: z.nullable(z.number()),
      limit: z.nullable(quotaLimitSchema),
      /**
       * Open requests on the class, including this one, and how much more quota all of them would allocate; null:
       * unknown.
       */
      openCount: z.int(),
      openDemand: z.nullable(z.number()),
    }),
  ),
  because: z.nullable(z.string()),
})
export type RequestDetail = z.infer<typeof requestDetailSchema>
