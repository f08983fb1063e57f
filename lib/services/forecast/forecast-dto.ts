import 'server-only'
import type { Exhaustion } from '@/lib/domain/forecast/exhaustion'
import type { Forecast, ForecastDay, NoForecast } from '@/lib/domain/forecast/forecast-series'
import { DAY_MS } from '@/lib/domain/history/series'
import type { ForecastExhaustion, ForecastGroup, NoForecastReason } from '@/lib/schemas/api/forecast'
import type { GroupForecast } from './load-forecasts'

/** Of a day counted from 1 January 1970. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const dateOrNull = (day: number | null): string | null => (day === null ? null : dateOf(day))
/** vGPUs to a tenth. */
const tenths = (value: number): number => Math.round(value * 10) / 10

/** Days as dates. */
export const exhaustionDto = (exhaustion: Exhaustion | null): ForecastExhaustion | null => {
  switch (exhaustion?.kind) {
    case undefined:
      return null
    case 'full':
      return { kind: 'full', since: dateOf(exhaustion.since) }
    case 'after':
      return { kind: 'after', day: dateOf(exhaustion.day) }
    case 'not-growing':
      return { kind: 'not-growing' }
    case 'dated': {
      const { earliest, likely, latest } = exhaustion
      return {
        kind: 'dated',
        earliest: dateOf(earliest),
        likely: dateOrNull(likely),
        latest: dateOrNull(latest),
      }
    }
  }
}

export const noneDto = (none: NoForecast | null): NoForecastReason | null =>
  none?.reason === 'stale' ? { reason: 'stale', lastDay: dateOf(none.lastDay) } : none

const daysDto = ({ series, forecast }: GroupForecast): ForecastGroup['days'] => ({
  from: dateOf(series.firstDay),
  used: [...series.peaks],
  capacity: [...series.capacity],
  forecastFrom: dateOf(series.firstDay + series.peaks.length),
  likely: forecast.days.map(({ likely }) => tenths(likely)),
  low: forecast.days.map(({ low }) => tenths(low)),
  high: forecast.days.map(({ high }) => tenths(high)),
})

const atEndDto = (end: ForecastDay | undefined): ForecastGroup['atEnd'] =>
  end === undefined
    ? null
    : { day: dateOf(end.day), low: tenths(end.low), likely: tenths(end.likely), high: tenths(end.high) }

const weakDto = (weak: Forecast['weak']): ForecastGroup['weak'] =>
  weak === null
    ? null
    : {
        growthPerWeek: {
          low: tenths(weak.growthPerWeek.low),
          likely: tenths(weak.growthPerWeek.likely),
          high: tenths(weak.growthPerWeek.high),
        },
        atEnd: atEndDto(weak.atEnd),
        exhaustion: exhaustionDto(weak.exhaustion),
      }

/** A group's forecast as DTO; `withDays`: with its daily peaks and the forecast day by day. */
export const forecastGroupDto = (
  group: GroupForecast,
  { withDays }: { withDays: boolean },
): ForecastGroup => {
  const { key, label, forecast } = group
  const { growthPerWeek } = forecast
  return {
    key,
    label,
    capacity: forecast.capacity,
    used: forecast.used,
    knownDays: forecast.knownDays,
    none: noneDto(forecast.none),
    growthPerWeek: growthPerWeek === null ? null : tenths(growthPerWeek),
    atEnd: atEndDto(forecast.days.at(-1)),
    weak: weakDto(forecast.weak),
    exhaustion: exhaustionDto(forecast.exhaustion),
    errors: (forecast.backTest?.horizons ?? []).map(({ days, forecasts, ...errors }) => ({
      days,
      forecasts,
      forecast: tenths(errors.forecast),
      lastValue: tenths(errors.lastValue),
      lastWeek: tenths(errors.lastWeek),
    })),
    days: withDays ? daysDto(group) : null,
  }
}
