import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ForecastAnswer, ForecastBy } from '@/lib/schemas/api/forecast'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

const HOUR_MS = 3_600_000

/** `key` null: all groups, without their days. `until` null: as of now. */
export const forecastOptions = (question: {
  cloud: string | null
  by: ForecastBy
  key: string | null
  until: string | null
}) =>
  queryOptions({
    queryKey: ['forecast', question] as const,
    queryFn: ({ signal }) => requestJson<ForecastAnswer>({ path: apiPaths.forecast(question), signal }),
    // It follows from whole days.
    refetchInterval: HOUR_MS,
    staleTime: HOUR_MS / 6,
    placeholderData: keepPreviousData,
  })
