import 'server-only'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import { dailySeries } from '@/lib/domain/forecast/daily-series'
import { type DailySeries, type Forecast, forecastSeries } from '@/lib/domain/forecast/forecast-series'
import { DAY_MS } from '@/lib/domain/history/series'
import type { ForecastBy } from '@/lib/schemas/api/forecast'
import type { Query } from '@/lib/server/database/database'
import { loadLabels } from '@/lib/services/capacity/load-labels'
import { loadKeys, loadRolledSlots, type RolledRange } from '@/lib/services/capacity/load-rolled-slots'

/** Forecasts learn from half a year, and are tried in the half year before. */
const LOADED_DAYS = 366
const MAX_GROUPS = 50

// SQL: forecasts read the history, for which callers may choose a replica.
const WATERMARK = 'SELECT until FROM roll_up WHERE cloud_id = $1'
const watermarkRow = z.object({ until: z.date() })

export type GroupForecast = { key: string; label: string; series: DailySeries; forecast: Forecast }
export type Forecasts = {
  /** Begin of the first day that is not in it, in ms; null: nothing is known yet. */
  until: number | null
  /** Those with the most vGPUs first; groups without capacity are left out. */
  groups: GroupForecast[]
  leftOut: number
}

/**
 * The forecast of each group of a cloud as one could make it at `asOf` (ms): of the whole days before it alone, as they are
 * known today. `key` null: of all groups.
 */
export const loadForecasts = async (
  query: Query,
  { cloudId, by, key, asOf }: { cloudId: number; by: ForecastBy; key: string | null; asOf: number },
): Promise<Forecasts> => {
  const [rolled] = await query(WATERMARK, [cloudId], watermarkRow)
  if (rolled === undefined) return { until: null, groups: [], leftOut: 0 }
  const until = Math.floor(Math.min(asOf, rolled.until.getTime()) / DAY_MS) * DAY_MS
  const range: RolledRange = { cloudId, step: 'day', from: until - LOADED_DAYS * DAY_MS, until }
  const all = by === 'all' ? [''] : await loadKeys(query, range, by)
  const requested = key === null ? all : all.filter((each) => each === key)
  const keys = requested.slice(0, MAX_GROUPS)
  const fleet = (await loadRolledSlots(query, range, { dimension: 'all', keys: null })).get('') ?? []
  const slots = await loadRolledSlots(query, range, { dimension: by, keys })
  const labels = await loadLabels(query, { cloudId, dimension: by })
  const groups: GroupForecast[] = []
  for (const each of keys) {
    const series = dailySeries({ slots: slots.get(each) ?? [], fleet, firstDay: range.from / DAY_MS })
    const forecast = forecastSeries(series)
    // A month's row also has days after `until`, in which groups may have appeared.
    const isThere = series.peaks.length > 0 && forecast.capacity !== 0
    if (isThere) groups.push({ key: each, label: labels.get(each) ?? each, series, forecast })
    // Requests get their turn between: one takes some 20 ms.
    await nextTurn()
  }
  const sizeOf = ({ forecast }: GroupForecast): number => forecast.capacity ?? 0
  groups.sort((a, b) => sizeOf(b) - sizeOf(a) || (a.key < b.key ? -1 : 1))
  return { until, groups, leftOut: requested.length - keys.length }
}
