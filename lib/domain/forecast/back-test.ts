import { MODELS, type Model } from './fit-trend'
import type { DailySeries } from './forecast-series'
import { mean, median, quantile } from './robust'
import { type Rival, type Tally, tryForecasts } from './try-forecasts'

/** A horizon is reported if so many forecasts reached it. */
const LEAST_FORECASTS = 4

/** Horizons that are judged, in days. */
const JUDGED_HORIZONS = [7, 28, 90] as const
/** The share of what came that lies within the range. */
const RANGE_SHARE = 0.8

/** What a try was typically off by at a horizon (on average over the week that ends with it), in vGPUs, and how many there were. */
type HorizonErrors = { days: number; forecasts: number; forecast: number } & Record<Rival, number>

export type BackTest = {
  model: Model
  /** Those of 7, 28 and 90 days that the history is long enough for. */
  horizons: HorizonErrors[]
  isBetter: boolean
  /** How far what came lay from the forecast in four of five cases, by days ahead in ascending order. */
  reach: { days: number; within: number }[]
}

/** The median, because a single large arrival or departure is not predictable and must not decide. */
const typical = (errors: readonly number[]): number => median(errors) ?? 0

/** Whole-number series are met exactly or not at all; less than this is rounding. */
const NOTHING = 1e-9
/** A growth has to be worth so much against none, as choosing among models finds one that was only lucky. */
const WORTH = 0.97
/** By so little less than the error of the rivals it is no better, but lucky (bench/forecast.ts). */
const BETTER = 0.93

/** Of the tries from recent days, which come first, and of all of them. */
const PERIODS = [1 / 3, 1]

/** Error against the better of the rivals, as the mean over horizons; 1: no better than they are. */
const shareIn = (tallies: readonly Tally[], { model, period }: { model: Model; period: number }): number =>
  mean(
    tallies.map(({ forecast, rival }) => {
      const typicalOf = (errors: readonly number[]): number =>
        typical(errors.slice(0, Math.ceil(errors.length * period)))
      const own = typicalOf(forecast[model])
      const best = Math.min(typicalOf(rival.lastValue), typicalOf(rival.lastWeek))
      if (best < NOTHING) return own < NOTHING ? 1 : Number.POSITIVE_INFINITY
      return own / best
    }),
  )

/** What was good once and is not any more is not good. */
const errorShare = (tallies: readonly Tally[], model: Model): number =>
  Math.max(...PERIODS.map((period) => shareIn(tallies, { model, period })))

const chooseModel = (tallies: readonly Tally[]): Model =>
  MODELS.reduce((best, model) =>
    errorShare(tallies, model) < errorShare(tallies, best) * (best === 'flat' ? WORTH : 1) ? model : best,
  )

/**
 * Forecasts from days of the past, each from the data known until then, compared with what happened and with the
 * assumption that nothing changes. Null: the history is too short for any. All series run by day from `firstDay` (counted
 * from 1 January 1970).
 */
export const backTest = (known: DailySeries): BackTest | null => {
  const tallies = tryForecasts(known)
  const met = [...tallies].filter(([, { rival }]) => rival.lastValue.length >= LEAST_FORECASTS)
  const judged = met.filter(([days]) => JUDGED_HORIZONS.some((horizon) => horizon === days))
  if (judged.length === 0) return null
  const judgedTallies = judged.map(([, tally]) => tally)
  const model = chooseModel(judgedTallies)
  const share = errorShare(judgedTallies, model)
  const isExact = judgedTallies.every((tally) => typical(tally.rival.lastValue) < NOTHING)
  return {
    model,
    horizons: judged.map(([days, tally]) => ({
      days,
      forecasts: tally.rival.lastValue.length,
      forecast: typical(tally.forecast[model]),
      lastValue: typical(tally.rival.lastValue),
      lastWeek: typical(tally.rival.lastWeek),
    })),
    // A series that never changed cannot be forecast better than by its constant.
    isBetter: share < BETTER || (isExact && share === 1),
    reach: reachOf(met, model),
  }
}

/** Never less far ahead than nearer by. */
const reachOf = (met: readonly [number, Tally][], model: Model): BackTest['reach'] => {
  let within = 0
  return met.map(([days, { ofDays }]) => {
    within = Math.max(within, quantile(ofDays[model], RANGE_SHARE) ?? 0)
    return { days, within }
  })
}
