import 'server-only'
import type { ForecastBy, ForecastGroup } from '@/lib/schemas/api/forecast'
import type { Query } from '@/lib/server/database/database'
import { forecastGroupDto } from './get-forecast'
import { loadForecasts } from './load-forecasts'

/**
 * The forecasts as one could make them at a moment (ms), of the whole days in UTC before it; for services that have checked the
 * caller's permission. The same moment gives the same answer as long as nothing comes late into the history before it.
 */
export const getForecastAsOf = async (
  query: Query,
  { cloudId, by, asOf }: { cloudId: number; by: ForecastBy; asOf: number },
): Promise<ForecastGroup[]> => {
  const { groups } = await loadForecasts(query, { cloudId, by, key: null, asOf })
  return groups.map((group) => forecastGroupDto(group, { withDays: false }))
}
