import * as z from 'zod'
import { cloudScopeSchema } from './scope'

/** What entries are about: the first word of an action. */
export const AUDIT_SUBJECTS = [
  'session',
  'api-token',
  'agent',
  'join-token',
  'finding',
  'change',
  'agent-command',
  'command-key',
  'kept-trait',
  'quota-request',
  'limit-trial',
  'catalog',
  'cloud',
  'webhook',
  'review',
] as const

const words = z
  .string()
  .trim()
  .max(200)
  .nullish()
  .transform((text) => text || null)

const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment such as 2026-11-21T08:00:00Z' })
  .nullish()
  .transform((at) => at ?? null)

/** `?who=`, `?what=` and `?on=` hold a part of the actor, the first word of the action, a part of the subject. */
export const auditFilterSchema = cloudScopeSchema.extend({
  who: words,
  what: z
    .enum(AUDIT_SUBJECTS)
    .nullish()
    .transform((what) => what ?? null),
  on: words,
  from: moment,
  until: moment,
})

/** `?before=` is the number of the last entry that is known; without it the newest come. */
export const auditScopeSchema = auditFilterSchema.extend({
  before: z.coerce
    .number('must be a whole number')
    .int()
    .min(1)
    .nullish()
    .transform((id) => id ?? null),
})
export type AuditScope = z.input<typeof auditScopeSchema>

export const auditExportSchema = auditFilterSchema.extend({ format: z.enum(['csv', 'jsonl']) })
export type AuditExport = z.input<typeof auditExportSchema>

const entrySchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  cloud: z.string().nullable(),
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
  next: z.int().nullable(),
})
export type AuditPage = z.infer<typeof auditPageSchema>

export const auditChainSchema = z.object({
  checkedAt: z.iso.datetime(),
  /** Entries that hold, of every cloud: the chain is one. */
  entries: z.int(),
  head: z.string(),
  broken: z.object({ id: z.int(), reason: z.string() }).nullable(),
})
export type AuditChain = z.infer<typeof auditChainSchema>
