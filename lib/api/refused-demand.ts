import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollRange } from './poll-interval'

type RefusedQuestion = {
  cloud: string | null
  /** ISO 8601 UTC; `until` null: now. */
  from: string
  until: string | null
  /** One flavor by its name, one project by its id; null: all of them. */
  flavor: string | null
  project: string | null
}

export const refusedDemandOptions = (question: RefusedQuestion) =>
  queryOptions({
    queryKey: ['refusedDemand', question] as const,
    queryFn: ({ signal }) => requestJson<RefusedDemand>({ path: apiPaths.refusedDemand(question), signal }),
    refetchInterval: pollRange(question),
    placeholderData: keepPreviousData,
  })
