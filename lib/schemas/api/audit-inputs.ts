import * as z from 'zod'
import { AUDIT_SUBJECTS } from '../choices'
import { momentSchema } from './moment'
import { cloudScopeSchema } from './scope'

const words = z
  .string()
  .trim()
  .max(200)
  .nullish()
  .transform((text) => text || null)

const moment = momentSchema('2026-11-21T08:00:00Z')
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
