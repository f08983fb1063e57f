import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type CapacityBy, capacitySchema } from '@/lib/schemas/api/capacity'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

export type CapacityQuestion = {
  cloud: string | null
  by: CapacityBy
  /** One group alone; null: all of them. */
  key: string | null
  /** ISO 8601 UTC; `until` null: now. */
  from: string
  until: string | null
}

export const capacityOptions = (question: CapacityQuestion) =>
  queryOptions({
    queryKey: ['capacity', question] as const,
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.capacity(question), schema: capacitySchema, signal }),
    // The roll-ups go on every minute; what has ended does not change.
    refetchInterval: question.until === null ? 60_000 : false,
    placeholderData: keepPreviousData,
  })
