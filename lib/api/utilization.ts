import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { idleVgpusSchema, type UtilizationBy, utilizationSchema } from '@/lib/schemas/api/utilization'
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
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.utilization(question), schema: utilizationSchema, signal }),
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
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.idleVgpus(question), schema: idleVgpusSchema, signal }),
    // Computed from days, so it reads all of them.
    refetchInterval: 600_000,
    placeholderData: keepPreviousData,
  })
