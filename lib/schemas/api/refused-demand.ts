import * as z from 'zod/mini'
import { REFUSAL_REASONS } from '../states'

/** No host could take it, a limit forbade it, or no host could start it. */
export const refusalReasonSchema = z.enum(REFUSAL_REASONS)

/** Servers of one flavor and project that were refused for one reason. */
export const refusedGroupSchema = z.object({
  /** Null: Nova has not reported it. */
  flavorName: z.nullable(z.string()),
  projectId: z.string(),
  /** Null: Keystone has not reported it. */
  projectName: z.nullable(z.string()),
  reason: refusalReasonSchema,
  servers: z.int(),
  /** ISO 8601 UTC, Nova's clock: when the first and the last of them were requested. */
  firstAt: z.string(),
  lastAt: z.string(),
  /** Nova's words to the last one. */
  message: z.string(),
})
export type RefusedGroup = z.infer<typeof refusedGroupSchema>

/** Servers with a GPU that were requested and reached no host. */
export const refusedDemandSchema = z.object({
  cloud: z.string(),
  /** ISO 8601 UTC: the requested period. */
  since: z.string(),
  until: z.string(),
  /** All of the period, including those that are not in `groups`. */
  servers: z.int(),
  /** The most refused first. */
  groups: z.array(refusedGroupSchema),
  /** The first moment of which anything is known; null: there is none yet. */
  firstKnownAt: z.nullable(z.string()),
  stepSeconds: z.int(),
  /** Servers by reason, oldest first; `at` is the begin of `stepSeconds`, the last of which may still be running. */
  points: z.array(
    z.object({
      at: z.string(),
      servers: z.object({ 'no-valid-host': z.int(), 'over-limit': z.int(), 'build-failed': z.int() }),
    }),
  ),
  /** By UTC day, oldest first; days without any are left out. */
  days: z.array(z.object({ day: z.string(), reason: refusalReasonSchema, servers: z.int() })),
})
export type RefusedDemand = z.infer<typeof refusedDemandSchema>
