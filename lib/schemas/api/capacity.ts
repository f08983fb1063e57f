import * as z from 'zod/mini'
import { unitTotals } from './totals'

/** How capacity is split into series; `host` and `pgpu` of one host, which is named. */
export const CAPACITY_BY = ['all', 'type', 'model', 'aggregate', 'flavor', 'project', 'host', 'pgpu'] as const
export type CapacityBy = (typeof CAPACITY_BY)[number]

/** Of the points in order; null: a gap without data. */
const column = z.array(z.nullable(z.number()))

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
  /** Last known capacity of hosts without data: neither used nor free. */
  unseen: column,
  /**
   * The values at the end of the range, independent of the points: at the watermark if that is within the range, of a
   * host at that time itself, else the average of the last known hour (a day where hours are not kept). `growth`: how
   * many more were in use on average in the later of the `comparedPeriods`; null: not enough history.
   */
  end: z.object({
    capacity: z.nullable(z.number()),
    used: z.nullable(z.number()),
    stranded: z.nullable(z.number()),
    unseen: z.nullable(z.number()),
    growth: z.nullable(z.number()),
  }),
  /** The most in use at once, with the capacity of the same time; null: never known. `at`: begin of that hour or day. */
  peak: z.nullable(z.object({ used: z.number(), capacity: z.nullable(z.number()), at: z.string() })),
  /** The totals of the current position, as in `overview`; null: the range ends earlier, or the key is a flavor or project. */
  current: z.nullable(z.object(unitTotals)),
})
export type CapacitySeries = z.infer<typeof seriesSchema>

const periodSchema = z.object({ from: z.string(), until: z.string() })

export const capacitySchema = z.object({
  cloud: z.string(),
  /** The position of `current`, as in `overview`; null: the range ends earlier. */
  asOf: z.nullable(z.string()),
  /** The two periods that `growth` compares: equally long, with the same weekdays; null: the range has no whole day. */
  comparedPeriods: z.nullable(z.object({ earlier: periodSchema, later: periodSchema })),
  by: z.enum(CAPACITY_BY),
  /** ISO 8601 UTC. Begin of the first point; each lasts `stepSeconds`, and the last one may still be running. */
  from: z.string(),
  until: z.string(),
  stepSeconds: z.int(),
  timeZone: z.literal('UTC'),
  /** What was until here is in the points; null: nothing is known yet. */
  watermark: z.nullable(z.string()),
  /** The first moment of which anything is known; null: there is none yet. */
  firstKnownAt: z.nullable(z.string()),
  series: z.array(seriesSchema),
  /** Groups without a series, because there are too many: those with the most vGPUs have one. */
  leftOut: z.int(),
})
export type Capacity = z.infer<typeof capacitySchema>
