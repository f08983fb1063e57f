import { queryOptions } from '@tanstack/react-query'
import type { GpuHeadroomList, HeadroomStateDto } from '@/lib/schemas/api/gpu-headroom'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pagedList } from './paged-list'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** Of the list: text in the host name, a state, and the hosts of the calculator. */
export type GpuHeadroomQuestion = Scope & { q: string; state: HeadroomStateDto | null; on: string }

const gpuHeadroomKeys = {
  host: (scope: Scope & { host: string }) => ['gpu-headroom', 'host', scope] as const,
}

const pace = { fastMs: 10_000, slowMs: 20_000 }

/** GPU hosts with their headroom. As recent as the last reading of the cloud. */
export const gpuHeadroomPages = pagedList<GpuHeadroomQuestion, GpuHeadroomList>({
  key: ['gpu-headroom', 'pages'],
  path: apiPaths.gpuHeadroom,
  pace,
})

/** One host with all its flavors. */
export const gpuHeadroomOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: gpuHeadroomKeys.host(scope),
    queryFn: ({ signal }) => requestJson<GpuHeadroomList>({ path: apiPaths.gpuHeadroom(scope), signal }),
    refetchInterval: pollWhileMoving(pace),
  })
