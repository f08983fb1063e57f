import { queryOptions } from '@tanstack/react-query'
import type { Overview } from '@/lib/schemas/api/fleet'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const overviewKeys = {
  all: ['overview'] as const,
  fleet: ({ cloud }: Scope) => ['overview', { cloud }] as const,
}

export const overviewOptions = (scope: Scope) =>
  queryOptions({
    queryKey: overviewKeys.fleet(scope),
    queryFn: ({ signal }) => requestJson<Overview>({ path: apiPaths.overview(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 2000, slowMs: 10_000 }),
  })
