import 'server-only'
import type { Exhaustion } from '@/lib/domain/forecast/exhaustion'
import type { Forecast, NoForecast } from '@/lib/domain/forecast/forecast-series'
import { DAY_MS } from '@/lib/domain/history/series'
import type {
  ForecastAnswer,
  ForecastExhaustion,
  ForecastGroup,
  NoForecastReason,
} from '@/lib/schemas/api/forecast'
import { type ForecastScope, forecastScopeSchema } from '@/lib/schemas/api/forecast-inputs'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { type GroupForecast, loadForecasts } from './load-forecasts'

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const dateOrNull = (day: number | null): string | null => (day === null ? null : dateOf(day))
/** vGPUs to a tenth. */
const tenths = (value: number): number => Math.round(value * 10) / 10

const exhaustionDto = (exhaustion: Exhaustion | null): ForecastExhaustion | null => {
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

const noneDto = (none: NoForecast | null): NoForecastReason | null =>
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

const atEndDto = ({ days }: Forecast): ForecastGroup['atEnd'] => {
  const end = days.at(-1)
  if (end === undefined) return null
  return { day: dateOf(end.day), low: tenths(end.low), likely: tenths(end.likely), high: tenths(end.high) }
}

/** A group's forecast as it is told; `withDays`: with its daily peaks and the forecast day by day. */
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
    atEnd: atEndDto(forecast),
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

/** When groups will be full if they go on as they do now; with `key` one of them, day by day. */
export const getForecast = async (ctx: ServiceContext, input: ForecastScope): Promise<ForecastAnswer> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, by, key } = parseInput(forecastScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const asked = { cloudId: cloud.id, by, key, asOf: ctx.now().getTime() }
  const { until, groups, leftOut } = await loadForecasts(ctx.database.query, asked)
  return {
    cloud: cloud.name,
    by,
    until: until === null ? null : dateOf(until / DAY_MS),
    groups: groups.map((group) => forecastGroupDto(group, { withDays: key !== null })),
    leftOut,
  }
}
