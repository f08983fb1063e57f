import * as z from 'zod/mini'
import { DIMENSIONS } from '../states'

const hours = z.array(z.nullable(z.number()))

export const capacityWeekSchema = z.object({
  cloud: z.string(),
  by: z.enum(DIMENSIONS),
  /** Empty: the whole fleet, or what is unknown. */
  key: z.string(),
  /** ISO 8601 UTC; the begin of the range, or of the first hour that is kept, if that is later. */
  from: z.string(),
  until: z.string(),
  /** Whose clocks tell the hours, by its IANA name. */
  timeZone: z.string(),
  /** Monday first, with 24 hours each: vGPUs used over all weeks, time-weighted average and maximum; null: unknown. */
  days: z.array(z.object({ average: hours, max: hours })),
})
export type CapacityWeek = z.infer<typeof capacityWeekSchema>
