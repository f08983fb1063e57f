import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { ForecastAnswer } from '@/lib/schemas/api/forecast'
import { type ForecastScope, forecastScopeSchema } from '@/lib/schemas/api/forecast-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { dateOf, forecastGroupDto } from './forecast-dto'
import { loadForecasts } from './load-forecasts'

/** When groups will be full if their growth continues; with `key` one of them, day by day. */
export const getForecast = async (ctx: ServiceContext, input: ForecastScope): Promise<ForecastAnswer> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, by, key, until: end } = parseInput(forecastScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const now = ctx.now().getTime()
  const asOf = end === null ? now : Math.min(now, Date.parse(end))
  const requested = { cloudId: cloud.id, by, key, asOf }
  const { until, groups, leftOut } = await loadForecasts(ctx.database.history, requested)
  return {
    cloud: cloud.name,
    by,
    until: until === null ? null : dateOf(until / DAY_MS),
    groups: groups.map((group) => forecastGroupDto(group, { withDays: key !== null })),
    leftOut,
  }
}
