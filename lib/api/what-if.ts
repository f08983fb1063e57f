import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { WhatIf } from '@/lib/schemas/api/what-if'
import type { WhatIfInput } from '@/lib/schemas/api/what-if-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

/** What steps would make of the fleet; nothing is written. */
export const whatIfOptions = (input: WhatIfInput) =>
  queryOptions({
    queryKey: ['whatIf', input] as const,
    queryFn: ({ signal }) =>
      requestJson<WhatIf>({ path: apiPaths.whatIf(), method: 'POST', body: input, signal }),
    // Before the first round has ended nothing can be tried, and soon it can.
    refetchInterval: ({ state }) => (state.error === null ? 60_000 : 10_000),
    placeholderData: keepPreviousData,
  })
