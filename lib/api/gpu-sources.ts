import { queryOptions } from '@tanstack/react-query'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { findingKeys } from './finding-keys'
import { pollWhileMoving } from './poll-interval'

type GpuScope = { cloud: string | null; host: string; address: string }

/** The four sources of one pGPU: the host's values are as fresh as its page, the cloud's as its last round. */
export const gpuSourcesOptions = (scope: GpuScope) =>
  queryOptions({
    queryKey: findingKeys.sources(scope),
    queryFn: ({ signal }) => requestJson<GpuSources>({ path: apiPaths.gpuSources(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })
