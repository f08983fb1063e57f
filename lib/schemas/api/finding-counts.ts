import * as z from 'zod/mini'

/** How many findings are open, not acknowledged and not muted, and when OpenStack was read last. */
export const findingCountsSchema = z.object({
  cloud: z.string(),
  /** The last reading round; null: OpenStack has not been read yet. */
  readAt: z.nullable(z.string()),
  open: z.object({ error: z.int(), warning: z.int(), info: z.int() }),
})
export type FindingCounts = z.infer<typeof findingCountsSchema>
