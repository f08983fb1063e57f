import * as z from 'zod'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { hostNameSchema } from '../agent/primitives'
import { cloudScopeSchema } from './scope'

/** What series are told apart by; `host` and `pgpu` of one host, which is named. */
const CAPACITY_BY = ['all', 'type', 'model', 'aggregate', 'flavor', 'project', 'host', 'pgpu'] as const
export type CapacityBy = (typeof CAPACITY_BY)[number]

const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment such as 2026-11-21T08:00:00Z' })
  .nullish()
  .transform((at) => at || null)

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

/** Of the points in order; null: a gap, nobody knew it. */
const column = z.array(z.number().nullable())

const seriesSchema = z.object({
  /** Empty: the whole fleet, or what is unknown. */
  key: z.string(),
  label: z.string(),
  /** vGPUs: averages weighted by time, and the extremes of each point. */
  capacity: column,
  capacityMax: column,
  used: column,
  usedMin: column,
  usedMax: column,
  spare: column,
  orphan: column,
  stranded: column,
  /** Last known capacity of what nobody watched: neither used nor free. */
  unseen: column,
})
export type CapacitySeries = z.infer<typeof seriesSchema>

export const capacitySchema = z.object({
  cloud: z.string(),
  by: z.enum(CAPACITY_BY),
  /** Begin of the first point; each lasts `stepSeconds`, and the last one may still be running. */
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  stepSeconds: z.int(),
  timeZone: z.literal('UTC'),
  /** What was until here is in the points; null: nothing is known yet. */
  watermark: z.iso.datetime().nullable(),
  /** The first moment of which anything is known; null: there is none yet. */
  firstKnownAt: z.iso.datetime().nullable(),
  series: z.array(seriesSchema),
  /** Groups without a series, because there are too many: the ones with the most vGPUs are told. */
  leftOut: z.int(),
})
export type Capacity = z.infer<typeof capacitySchema>
