import * as z from 'zod'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { hostNameSchema } from '../agent/primitives'
import { CAPACITY_BY } from './capacity'
import { cloudScopeSchema } from './scope'

const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment such as 2026-11-21T08:00:00Z' })
  .nullish()
  .transform((at) => at || null)

/** `?from=` and `?until=`: absent, the last 30 days. */
export const capacityMarksScopeSchema = cloudScopeSchema.extend({ from: moment, until: moment })
export type CapacityMarksScope = z.input<typeof capacityMarksScopeSchema>

/**
 * `?from=` and `?until=`: absent, the last 30 days. `?key=` takes one group by its key, `?host=` that host alone and `?address=`
 * one pGPU of it.
 */
export const capacityScopeSchema = cloudScopeSchema.extend({
  by: z
    .enum(CAPACITY_BY)
    .nullish()
    .transform((by) => by ?? 'all'),
  from: moment,
  until: moment,
  key: z
    .string()
    .max(255)
    .nullish()
    .transform((key) => key ?? null),
  host: z
    .string()
    .trim()
    .max(253)
    .pipe(hostNameSchema)
    .nullish()
    .transform((host) => host ?? null),
  address: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .nullish()
    .transform((address) => (address ? canonicalAddress(address) : null)),
})
export type CapacityScope = z.input<typeof capacityScopeSchema>
