import * as z from 'zod/mini'

/** What the console asked of OpenStack in the last round, and how each service answered. */
export const cloudReadingSchema = z.object({
  cloud: z.string(),
  region: z.nullable(z.string()),
  /** Null: no round has ended yet. */
  round: z.nullable(
    z.object({
      number: z.int(),
      startedAt: z.string(),
      tookMs: z.int(),
      requests: z.int(),
      /** Requests that the configured rate left for later rounds. */
      waitingRequests: z.int(),
      /** Why the round was dearer or less complete than it could be. */
      notes: z.array(z.string()),
    }),
  ),
  services: z.array(
    z.object({
      service: z.enum(['keystone', 'placement', 'nova', 'neutron']),
      /** Highest API version that it offers; null: not read yet, or the service has no such versions (Neutron). */
      version: z.nullable(z.string()),
      requests: z.int(),
      ms: z.number(),
      /** Of the last round; null: all went well. */
      error: z.nullable(z.string()),
      lastError: z.nullable(z.string()),
      lastErrorAt: z.nullable(z.string()),
    }),
  ),
  parts: z.array(
    z.object({
      part: z.string(),
      /** How many items it lists; null: never read, or no list. */
      items: z.nullable(z.int()),
      at: z.nullable(z.string()),
      error: z.nullable(z.string()),
      failingSince: z.nullable(z.string()),
    }),
  ),
})
export type CloudReadingDto = z.infer<typeof cloudReadingSchema>
