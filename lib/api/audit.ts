import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AuditPage, auditChainSchema, auditPageSchema } from '@/lib/schemas/api/audit'
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

/** Pages of the audit, the newest first. Asked anew only on demand: a list under one's eyes that moves can't be read. */
export const auditOptions = (question: AuditQuestion) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'entries', question],
    queryFn: ({ pageParam, signal }) =>
      requestJson({
        path: apiPaths.audit({ ...question, before: pageParam === null ? null : String(pageParam) }),
        schema: auditPageSchema,
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }: AuditPage) => next,
  })

/** Walks the whole chain; asked when somebody presses the button. */
export const auditChainOptions = () =>
  queryOptions({
    queryKey: ['audit', 'chain'],
    queryFn: ({ signal }) => requestJson({ path: apiPaths.auditChain(), schema: auditChainSchema, signal }),
    enabled: false,
    retry: false,
  })
