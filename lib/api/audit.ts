import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditChain, AuditPage } from '@/lib/schemas/api/audit'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

/** As the audit's route takes it; null narrows nothing. */
export type AuditQuestion = {
  cloud: string | null
  who: string | null
  what: string | null
  on: string | null
  from: string | null
  until: string | null
}

/**
 * Pages of the audit, the newest first. Refreshed only on demand, because a list that moves while it is read is unusable.
 */
export const auditOptions = (question: AuditQuestion) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'entries', question],
    queryFn: ({ pageParam, signal }) =>
      requestJson<AuditPage>({
        path: apiPaths.audit({ ...question, before: pageParam === null ? null : String(pageParam) }),
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }: AuditPage) => next,
  })

/** Verifies the whole chain; requested by the button. */
export const auditChainOptions = () =>
  queryOptions({
    queryKey: ['audit', 'chain'],
    queryFn: ({ signal }) => requestJson<AuditChain>({ path: apiPaths.auditChain(), signal }),
    enabled: false,
    retry: false,
  })
