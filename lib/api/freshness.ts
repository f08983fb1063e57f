import { queryOptions } from '@tanstack/react-query'
import type { Freshness } from '@/lib/schemas/api/fleet'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

type Scope = { cloud: string | null }

const freshnessKeys = {
  all: ['freshness'] as const,
  fleet: ({ cloud }: Scope) => ['freshness', { cloud }] as const,
}

/**
 * For "Data from 14:03, 12 s ago": always the same short interval, because it shows when other data stopped changing, and
 * within 5 s that the console does not answer (lib/api/connection).
 */
export const freshnessOptions = (scope: Scope) =>
  queryOptions({
    queryKey: freshnessKeys.fleet(scope),
    queryFn: ({ signal }) => requestJson<Freshness>({ path: apiPaths.freshness(scope), signal }),
    refetchInterval: 4000,
  })
