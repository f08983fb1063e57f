import { queryOptions } from '@tanstack/react-query'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { apiPaths } from '@/lib/util/paths'
import { requestNewerBytes } from './client'
import { makeStore, startStoreWorker } from './gpu-store/make-store'
import { type PollPace, pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const gpuKeys = {
  all: ['gpus'] as const,
  list: ({ cloud }: Scope) => ['gpus', 'list', { cloud }] as const,
}

/** Equal versions mean equal content: the old object stays, and 80,000 rows are never compared one by one. */
const keepSameVersion = (previous: unknown, next: unknown): unknown => {
  const versionOf = (data: unknown) => (data as GpuStore | undefined)?.data.version
  return previous !== undefined && versionOf(previous) === versionOf(next) ? previous : next
}

/** Larger fleets change almost always, and each answer is large, so they are polled less often. */
const paceOf = (pgpus: number): PollPace => {
  if (pgpus > 10_000) return { fastMs: 10_000, slowMs: 20_000 }
  return { fastMs: pgpus > 4000 ? 2000 : 400, slowMs: 10_000 }
}

/** All pGPUs of a cloud as typed columns, made in a worker. Unchanged data is a 304 and keeps the object of the last answer. */
export const gpuListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: gpuKeys.list(scope),
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<GpuStore>(queryKey)
      startStoreWorker()
      return requestNewerBytes({
        path: apiPaths.gpus(scope),
        read: makeStore,
        known,
        etag: known && `W/"${known.data.version}"`,
        signal,
      })
    },
    structuralSharing: keepSameVersion,
    refetchInterval: pollWhileMoving<GpuStore>(({ count }) => paceOf(count)),
  })
