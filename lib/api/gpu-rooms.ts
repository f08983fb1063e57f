import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type GpuRooms, gpuRoomsSchema, type RoomStateDto } from '@/lib/schemas/api/gpu-room'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** Of the list: text in the host name, a state, and the hosts of the calculator. */
export type GpuRoomQuestion = Scope & { q: string; state: RoomStateDto | null; on: string }

const gpuRoomKeys = {
  pages: (question: GpuRoomQuestion) => ['gpu-rooms', 'pages', question] as const,
  host: (scope: Scope & { host: string }) => ['gpu-rooms', 'host', scope] as const,
}

const pace = { fastMs: 10_000, slowMs: 20_000 }

/** The first page as the server prefetches it. */
export const firstPage = (question: GpuRoomQuestion) => ({ ...question, limit: '50' })

/** Hosts page by page. As recent as the last round: servers start and end with it. */
export const gpuPagesOptions = (question: GpuRoomQuestion) =>
  infiniteQueryOptions({
    queryKey: gpuRoomKeys.pages(question),
    queryFn: ({ pageParam, signal }) =>
      requestJson({
        path: apiPaths.gpuRooms({ ...firstPage(question), cursor: pageParam }),
        schema: gpuRoomsSchema,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: GpuRooms) => next,
    placeholderData: keepPreviousData,
    refetchInterval: pollWhileMoving(pace),
  })

/** One host with all its flavors. */
export const gpuRoomOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: gpuRoomKeys.host(scope),
    queryFn: ({ signal }) => requestJson({ path: apiPaths.gpuRooms(scope), schema: gpuRoomsSchema, signal }),
    refetchInterval: pollWhileMoving(pace),
  })
