import { queryOptions } from '@tanstack/react-query'
import { requestCountsSchema } from '@/lib/schemas/api/request-counts'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

/** How many quota requests there are, for the navigation; apart from the list, which most pages do not load. */
export const requestCountOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: ['quotaRequests', 'counts', { cloud }] as const,
    queryFn: ({ signal }) =>
      requestJson({
        path: apiPaths.quotaRequests({ cloud, limit: '1' }),
        schema: requestCountsSchema,
        signal,
      }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })
