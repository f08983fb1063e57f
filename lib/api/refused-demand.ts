import { queryOptions } from '@tanstack/react-query'
import { refusedDemandSchema } from '@/lib/schemas/api/refused-demand'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

type RefusedScope = { cloud: string | null; days: number }

export const refusedDemandOptions = (scope: RefusedScope) =>
  queryOptions({
    queryKey: ['refusedDemand', scope] as const,
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.refusedDemand(scope), schema: refusedDemandSchema, signal }),
    refetchInterval: 60_000,
  })
