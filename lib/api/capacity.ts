import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Capacity, CapacityBy } from '@/lib/schemas/api/capacity'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import type { Dimension } from '@/lib/schemas/states'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollRange } from './poll-interval'

/** ISO 8601 UTC; `until` null: now. */
type RangeInput = { cloud: string | null; from: string; until: string | null }

export type CapacityQuestion = RangeInput & {
  by: CapacityBy
  /** One group alone; null: all of them. */
  key: string | null
  /** One host, and one pGPU of it. */
  host?: string | null
  address?: string | null
  /** Of each series, at most. */
  points?: number
}

export const capacityOptions = (question: CapacityQuestion) =>
  queryOptions({
    queryKey: ['capacity', question] as const,
    queryFn: ({ signal }) => requestJson<Capacity>({ path: apiPaths.capacity(question), signal }),
    refetchInterval: pollRange(question),
    placeholderData: keepPreviousData,
  })

/** What happened in the range that its time axis is marked with: in the whole cloud, or what concerns a part of it. */
export const capacityMarksOptions = (
  question: RangeInput & {
    by: Dimension
    key: string | null
    host: string | null
    address: string | null
  },
) =>
  queryOptions({
    queryKey: ['capacityMarks', question] as const,
    queryFn: ({ signal }) => requestJson<CapacityMarks>({ path: apiPaths.capacityMarks(question), signal }),
    refetchInterval: pollRange(question),
    placeholderData: keepPreviousData,
  })

/** The hours of the week on the clocks of a time zone. */
export const capacityWeekOptions = (
  question: RangeInput & { by: Dimension; key: string | null; zone: string },
) =>
  queryOptions({
    queryKey: ['capacityWeek', question] as const,
    queryFn: ({ signal }) => requestJson<CapacityWeek>({ path: apiPaths.capacityWeek(question), signal }),
    refetchInterval: pollRange(question),
    placeholderData: keepPreviousData,
  })
