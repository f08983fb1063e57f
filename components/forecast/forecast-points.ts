import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

const DAY_MS = 86_400_000

/** One day of a forecast's chart, in vGPUs; null: not known, or not of this part. */
export type ForecastPoint = {
  /** Begin of the day in UTC, in ms. */
  at: number
  used: number | null
  capacity: number | null
  likely: number | null
  /** Ends of the range that holds four of five. */
  range: [number, number] | null
}

type Days = NonNullable<ForecastGroup['days']>

/** The history followed by the forecast; the capacity continues unchanged. */
export const forecastPoints = (days: Days): ForecastPoint[] => {
  const { from, used, capacity, forecastFrom, likely, low, high } = days
  const last = capacity.findLast((value) => value !== null) ?? null
  const [begin, beginOfForecast] = [Date.parse(from), Date.parse(forecastFrom)]
  const history = used.map((value, index) => ({
    at: begin + index * DAY_MS,
    used: value,
    capacity: capacity[index] ?? null,
    likely: null,
    range: null,
  }))
  const forecast = likely.map((value, index): ForecastPoint => {
    const [min, max] = [low[index], high[index]]
    return {
      at: beginOfForecast + index * DAY_MS,
      used: null,
      capacity: last,
      likely: value,
      range: min === undefined || max === undefined ? null : [min, max],
    }
  })
  return [...history, ...forecast]
}

/** The points as CSV, a row for each day; empty: not known. */
export const forecastCsv = (points: readonly ForecastPoint[]): Encoded<'csv'> =>
  csvText([
    ['day', 'used', 'capacity', 'likely', 'low', 'high'],
    ...points.map(({ at, used, capacity, likely, range }) => [
      new Date(at).toISOString().slice(0, 10),
      used,
      capacity,
      likely,
      range?.[0] ?? null,
      range?.[1] ?? null,
    ]),
  ])
