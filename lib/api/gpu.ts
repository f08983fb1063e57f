import { queryOptions } from '@tanstack/react-query'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null; host: string; address: string }

/** One pGPU in full. Apart from the list, whose page then carries neither its schema nor its parts. */
export const gpuDetailOptions = (scope: Scope) =>
  queryOptions({
    queryKey: ['gpus', 'detail', scope] as const,
    queryFn: ({ signal }) => requestJson<GpuDetail>({ path: apiPaths.gpu(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 2000, slowMs: 10_000 }),
  })
