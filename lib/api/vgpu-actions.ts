import { queryOptions } from '@tanstack/react-query'
import type { VgpuActions } from '@/lib/schemas/api/vgpu-action'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type VgpuActionsScope = { cloud: string | null }

const vgpuActionKeys = {
  list: ({ cloud }: VgpuActionsScope) => ['vgpu-actions', { cloud }] as const,
}

/** Changes only when Nova or a host is upgraded. */
export const vgpuActionsOptions = (scope: VgpuActionsScope) =>
  queryOptions({
    queryKey: vgpuActionKeys.list(scope),
    queryFn: ({ signal }) => requestJson<VgpuActions>({ path: apiPaths.vgpuActions(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 20_000, slowMs: 60_000 }),
  })
