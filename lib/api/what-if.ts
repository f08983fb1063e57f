import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { whatIfSchema } from '@/lib/schemas/api/what-if'
import type { WhatIfInput } from '@/lib/schemas/api/what-if-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

/** What steps would make of the fleet; nothing is written. */
export const whatIfOptions = (input: WhatIfInput) =>
  queryOptions({
    queryKey: ['whatIf', input] as const,
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.whatIf(), method: 'POST', body: input, schema: whatIfSchema, signal }),
    // Before the first round has ended nothing can be tried, and soon it can.
    refetchInterval: ({ state }) => (state.error === null ? 60_000 : 10_000),
    placeholderData: keepPreviousData,
  })
