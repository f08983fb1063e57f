import { queryOptions } from '@tanstack/react-query'
import { type GpuColumns, gpuColumnsSchema } from '@/lib/schemas/api/fleet'
import { apiPaths } from '@/lib/util/paths'
import { requestNewer } from './client'
import { type PollPace, pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const gpuKeys = {
  all: ['gpus'] as const,
  list: ({ cloud }: Scope) => ['gpus', 'list', { cloud }] as const,
}

/** Equal versions mean equal content: the old object stays, and 80,000 rows are never compared one by one. */
const keepSameVersion = (previous: unknown, next: unknown): unknown => {
  const versionOf = (data: unknown) => (data as GpuColumns | undefined)?.version
  return previous !== undefined && versionOf(previous) === versionOf(next) ? previous : next
}

/** Larger fleets hardly ever stand still, and each answer is large: who looks at the page asks for it less often. */
const paceOf = (pgpus: number): PollPace => {
  if (pgpus > 10_000) return { fastMs: 10_000, slowMs: 20_000 }
  return { fastMs: pgpus > 4000 ? 2000 : 500, slowMs: 10_000 }
}

/** All pGPUs of a cloud as columns. Unchanged data is a 304 and keeps the object of the last answer. */
export const gpuListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: gpuKeys.list(scope),
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<GpuColumns>(queryKey)
      return requestNewer({
        path: apiPaths.gpus(scope),
        schema: gpuColumnsSchema,
        known,
        etag: known && `W/"${known.version}"`,
        signal,
      })
    },
    structuralSharing: keepSameVersion,
    refetchInterval: pollWhileMoving<GpuColumns>(({ columns }) => paceOf(columns.hostIndex.length)),
  })
