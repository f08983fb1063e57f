import type { GpuServerList, GpuServerSort, GpuServerState } from '@/lib/schemas/api/gpu-server'
import type { ListQuestion } from '@/lib/schemas/api/list-query'
import { apiPaths } from '@/lib/util/paths'
import { pagedList } from './paged-list'

/** Servers with a GPU. */
export const gpuServerPages = pagedList<ListQuestion<GpuServerSort, GpuServerState>, GpuServerList>({
  key: ['gpuServers', 'pages'],
  path: apiPaths.gpuServers,
})
