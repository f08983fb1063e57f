import { queryOptions } from '@tanstack/react-query'
import { changeCountsSchema } from '@/lib/schemas/api/change-counts'
import { apiPaths } from '@/lib/util/paths'
import { changeKeys } from './change-keys'
import { requestJson } from './client'

/** How many are in hand, for the navigation; apart from the other queries, which no page around it needs. */
export const changeCountsOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: changeKeys.counts({ cloud }),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.changeCounts({ cloud }), schema: changeCountsSchema, signal }),
    refetchInterval: 10_000,
  })
