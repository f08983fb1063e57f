import { queryOptions } from '@tanstack/react-query'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const cloudReadingKeys = {
  all: ['cloud-reading'] as const,
  cloud: ({ cloud }: Scope) => ['cloud-reading', { cloud }] as const,
}

/** How OpenStack was read last. */
export const cloudReadingOptions = (scope: Scope) =>
  queryOptions({
    queryKey: cloudReadingKeys.cloud(scope),
    queryFn: ({ signal }) => requestJson<CloudReadingDto>({ path: apiPaths.cloudReading(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })
