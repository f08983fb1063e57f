import * as z from 'zod'
import { QUOTA_SORTS, QUOTA_STATES } from '../choices'
import { pageQueryShape } from './page-inputs'
import { cloudScopeSchema } from './scope'

const flag = z.enum(['true', 'false']).optional()

/**
 * `?classes=a,b` and `?projects=id,id` restrict the list, `?gpu=true` to resource classes of GPUs, `?inUse=true` to rows
 * with use or a project limit, `?q=` to rows with every word.
 */
export const quotaScopeSchema = cloudScopeSchema.extend({
  q: z.string().max(200).optional(),
  classes: z.string().max(5000).optional(),
  projects: z.string().max(50_000).optional(),
  gpu: flag,
  inUse: flag,
  state: z.enum(QUOTA_STATES).nullish(),
  sort: z.enum(QUOTA_SORTS).optional(),
  desc: flag,
  ...pageQueryShape,
})
export type QuotaScope = z.input<typeof quotaScopeSchema>
