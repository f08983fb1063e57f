import { queryOptions } from '@tanstack/react-query'
import type { FindingCounts } from '@/lib/schemas/api/finding-counts'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { findingKeys } from './finding-keys'

/** How many are open, for the navigation; apart from the other queries, which no page around it needs. */
export const findingCountsOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: findingKeys.counts({ cloud }),
    queryFn: ({ signal }) => requestJson<FindingCounts>({ path: apiPaths.findingCounts({ cloud }), signal }),
    refetchInterval: 10_000,
  })
