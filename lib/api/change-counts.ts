import { queryOptions } from '@tanstack/react-query'
import type { ChangeCounts } from '@/lib/schemas/api/change-counts'
import { apiPaths } from '@/lib/util/paths'
import { changeKeys } from './change-keys'
import { requestJson } from './client'

/** The number of active changes, for the navigation. A separate query, because pages without changes need no other. */
export const changeCountsOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: changeKeys.counts({ cloud }),
    queryFn: ({ signal }) => requestJson<ChangeCounts>({ path: apiPaths.changeCounts({ cloud }), signal }),
    refetchInterval: 10_000,
  })
