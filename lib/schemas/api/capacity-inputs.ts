import * as z from 'zod'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { isTimeZone } from '@/lib/util/zone-offset'
import { hostNameSchema } from '../agent/primitives'
import { DIMENSIONS } from '../states'
import { CAPACITY_BY } from './capacity'
import { momentSchema } from './moment'
import { cloudScopeSchema } from './scope'

const moment = momentSchema('2026-11-21T08:00:00Z')
  .nullish()
  .transform((at) => at || null)

/** `?key=`: one group by its key; absent, all of them. */
export const groupKeySchema = z
  .string()
  .max(255)
  .nullish()
  .transform((key) => key ?? null)

const groupBy = z
  .enum(DIMENSIONS)
  .nullish()
  .transform((by) => by ?? 'all')

const hostName = z
  .string()
  .trim()
  .max(253)
  .pipe(hostNameSchema)
  .nullish()
  .transform((host) => host ?? null)

const pgpuAddress = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .nullish()
  .transform((address) => (address ? canonicalAddress(address) : null))

/** `?from=` and `?until=`: absent, the last 30 days. */
export const rangeScopeSchema = cloudScopeSchema.extend({ from: moment, until: moment })

/**
 * `?by=` and `?key=` take what concerns one group, `?host=` one host, and `?address=` one pGPU of it; absent, what concerns
 * the whole cloud.
 */
export const capacityMarksScopeSchema = rangeScopeSchema.extend({
  by: groupBy,
  key: groupKeySchema,
  host: hostName,
  address: pgpuAddress,
})
export type CapacityMarksScope = z.input<typeof capacityMarksScopeSchema>

/** `?zone=` is the time zone whose clocks tell the hours, by its IANA name; absent, UTC. `?key=` takes one group by its key. */
export const capacityWeekScopeSchema = rangeScopeSchema.extend({
  by: groupBy,
  key: groupKeySchema,
  zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Paris')
    .nullish()
    .transform((zone) => zone ?? 'UTC'),
})
export type CapacityWeekScope = z.input<typeof capacityWeekScopeSchema>

/**
 * `?from=` and `?until=`: absent, the last 30 days. `?key=` takes one group by its key, `?host=` that host alone and `?address=`
 * one pGPU of it. `?points=` is how many each series may have, at most and as absent 1,000.
 */
export const capacityScopeSchema = cloudScopeSchema.extend({
  by: z
    .enum(CAPACITY_BY)
    .nullish()
    .transform((by) => by ?? 'all'),
  from: moment,
  until: moment,
  key: groupKeySchema,
  host: hostName,
  address: pgpuAddress,
  points: z.coerce
    .number('must be a whole number')
    .int()
    .min(10)
    .max(1000)
    .nullish()
    .transform((points) => points ?? 1000),
})
export type CapacityScope = z.input<typeof capacityScopeSchema>

/** `?compareFrom=`: adds the range of the same length that begins there, point by point. */
export const capacityExportScopeSchema = capacityScopeSchema.extend({ compareFrom: moment })
export type CapacityExportScope = z.input<typeof capacityExportScopeSchema>
