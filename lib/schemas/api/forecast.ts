import * as z from 'zod/mini'

/** How forecasts are split: by groups that have a capacity. */
export const FORECAST_BY = ['all', 'type', 'model', 'aggregate'] as const
export type ForecastBy = (typeof FORECAST_BY)[number]

/** Days are dates in UTC: `2027-01-12`. */
const day = z.string()

export const exhaustionSchema = z.discriminatedUnion('kind', [
  /** At its capacity at least once in each week since then. */
  z.object({ kind: z.literal('full'), since: day }),
  /** Null: not within the forecast. */
  z.object({
    kind: z.literal('dated'),
    earliest: day,
    likely: z.nullable(day),
    latest: z.nullable(day),
  }),
  /** Not up to this day, the forecast's last one. */
  z.object({ kind: z.literal('after'), day }),
  z.object({ kind: z.literal('not-growing') }),
])
export type ForecastExhaustion = z.infer<typeof exhaustionSchema>

export const noForecastSchema = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('too-short'), knownDays: z.int(), neededDays: z.int() }),
  /** Of the last days. */
  z.object({ reason: z.literal('gaps'), knownDays: z.int(), ofDays: z.int() }),
  /** Nothing is known after this day. */
  z.object({ reason: z.literal('stale'), lastDay: day }),
  /** Past forecasts were no better than the assumption that nothing changes. */
  z.object({ reason: z.literal('no-better') }),
])
export type NoForecastReason = z.infer<typeof noForecastSchema>

/** Typical errors of past forecasts at this number of days ahead, in vGPUs. */
const errorsSchema = z.object({
  days: z.int(),
  forecasts: z.int(),
  forecast: z.number(),
  /** Errors of the assumptions that the last day's value, or those of the last week, repeat. */
  lastValue: z.number(),
  lastWeek: z.number(),
})

const column = z.array(z.nullable(z.number()))

const atEndSchema = z.nullable(z.object({ day, low: z.number(), likely: z.number(), high: z.number() }))

const forecastGroupSchema = z.object({
  key: z.string(),
  label: z.string(),
  /** vGPUs on the last known day, and the most used at once in the last seven; null: nothing is known. */
  capacity: z.nullable(z.number()),
  used: z.nullable(z.number()),
  knownDays: z.int(),
  /** Null when a forecast is shown. */
  none: z.nullable(noForecastSchema),
  /** vGPUs a week; null without a forecast. */
  growthPerWeek: z.nullable(z.number()),
  /** The peak on the forecast's last day, with the range that holds four of five. */
  atEnd: atEndSchema,
  /** In place of a forecast where the signal is weak: a straight line with its range. Null: there is a forecast, or too little is known. */
  weak: z.nullable(
    z.object({
      growthPerWeek: z.object({ low: z.number(), likely: z.number(), high: z.number() }),
      atEnd: atEndSchema,
      exhaustion: z.nullable(exhaustionSchema),
    }),
  ),
  /** Null: unknown. */
  exhaustion: z.nullable(exhaustionSchema),
  errors: z.array(errorsSchema),
  /** Of the one group that was requested by its key: daily peaks, and the forecast that follows them. */
  days: z.nullable(
    z.object({
      from: day,
      used: column,
      capacity: column,
      forecastFrom: day,
      likely: z.array(z.number()),
      low: z.array(z.number()),
      high: z.array(z.number()),
    }),
  ),
})
export type ForecastGroup = z.infer<typeof forecastGroupSchema>

export const forecastSchema = z.object({
  cloud: z.string(),
  by: z.enum(FORECAST_BY),
  /** The first day that is not in it: the forecasts know what was until its begin. */
  until: z.nullable(day),
  groups: z.array(forecastGroupSchema),
  /** Groups that are left out, because there are too many: those with the most vGPUs are included. */
  leftOut: z.int(),
})
export type ForecastAnswer = z.infer<typeof forecastSchema>
