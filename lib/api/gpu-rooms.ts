import { queryOptions } from '@tanstack/react-query'
import { gpuRoomsSchema } from '@/lib/schemas/api/gpu-room'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type GpuRoomsScope = { cloud: string | null; host?: string }

const gpuRoomKeys = {
  list: ({ cloud, host }: GpuRoomsScope) => ['gpu-rooms', { cloud, host: host ?? null }] as const,
}

/** As fresh as the last round: servers come and go with it. */
export const gpuRoomsOptions = (scope: GpuRoomsScope) =>
  queryOptions({
    queryKey: gpuRoomKeys.list(scope),
    queryFn: ({ signal }) => requestJson({ path: apiPaths.gpuRooms(scope), schema: gpuRoomsSchema, signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })
