import { queryOptions } from '@tanstack/react-query'
import type { RequestList } from '@/lib/schemas/api/quota-request'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

/** How many quota requests there are, for the navigation; apart from the list, which most pages do not load. */
export const requestCountOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: ['quotaRequests', 'counts', { cloud }] as const,
    queryFn: ({ signal }) =>
      requestJson<RequestList>({ path: apiPaths.quotaRequests({ cloud, limit: '1' }), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })
