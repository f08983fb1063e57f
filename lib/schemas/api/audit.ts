import * as z from 'zod/mini'

const entrySchema = z.object({
  id: z.int(),
  at: z.string(),
  cloud: z.nullable(z.string()),
  /** `user:anna@Default`, `agent:cmp-01`, `system`. */
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  hash: z.string(),
})
export type AuditEntryDto = z.infer<typeof entrySchema>

export const auditPageSchema = z.object({
  cloud: z.string(),
  /** Newest first. */
  entries: z.array(entrySchema),
  /** For the next page's `before`; null: these are the oldest. */
  next: z.nullable(z.int()),
})
export type AuditPage = z.infer<typeof auditPageSchema>

export const auditChainSchema = z.object({
  checkedAt: z.string(),
  /** Entries that hold, of every cloud: the chain is one. */
  entries: z.int(),
  head: z.string(),
  broken: z.nullable(z.object({ id: z.int(), reason: z.string() })),
})
export type AuditChain = z.infer<typeof auditChainSchema>
