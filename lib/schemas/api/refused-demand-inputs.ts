import * as z from 'zod'
import { groupKeySchema, rangeScopeSchema } from './capacity-inputs'

/**
 * `?from=` and `?until=`, or `?days=` before the end; absent, the last 30 days. `?flavor=` selects one flavor by its
 * name, `?project=` one project by its id; empty: those that Nova has not reported.
 */
export const refusedDemandScopeSchema = rangeScopeSchema.extend({
  days: z.coerce
    .number('must be a whole number')
    .int()
    .min(1)
    .max(3660)
    .nullish()
    .transform((days) => days ?? null),
  flavor: groupKeySchema,
  project: groupKeySchema,
})
export type RefusedDemandScope = z.input<typeof refusedDemandScopeSchema>
