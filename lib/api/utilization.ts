import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { IdleVgpus, Utilization, UtilizationBy } from '@/lib/schemas/api/utilization'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollRange } from './poll-interval'

export type UtilizationQuestion = {
  cloud: string | null
  by: UtilizationBy
  /** One group alone; null: all of them. */
  key: string | null
  /** One host alone, and one pGPU of it. */
  host: string | null
  address: string | null
  /** ISO 8601 UTC; `until` null: now. */
  from: string
  until: string | null
}

export const utilizationOptions = (question: UtilizationQuestion) =>
  queryOptions({
    queryKey: ['utilization', question] as const,
    queryFn: ({ signal }) => requestJson<Utilization>({ path: apiPaths.utilization(question), signal }),
    refetchInterval: pollRange(question),
    placeholderData: keepPreviousData,
  })

/** Of what, and as of when; `until` null: now. */
export type IdleQuestion = {
  cloud: string | null
  days: number
  by: string
  key: string | null
  host: string | null
  address: string | null
  until: string | null
}

export const idleVgpusOptions = (question: IdleQuestion) =>
  queryOptions({
    queryKey: ['idle-vgpus', question] as const,
    queryFn: ({ signal }) => requestJson<IdleVgpus>({ path: apiPaths.idleVgpus(question), signal }),
    // Computed from days, so it reads all of them.
    refetchInterval: 600_000,
    placeholderData: keepPreviousData,
  })
