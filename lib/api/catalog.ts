import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Catalog, OwnServerList } from '@/lib/schemas/api/catalog'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

const catalogKeys = {
  catalog: ['catalog'] as const,
  servers: ['ownServers'] as const,
}

/** A constant interval: a faster one after a change would reveal that something changed. */
const PACE_MS = 15_000

export const catalogOptions = () =>
  queryOptions({
    queryKey: catalogKeys.catalog,
    queryFn: ({ signal }) => requestJson<Catalog>({ path: apiPaths.catalog(), signal }),
    refetchInterval: PACE_MS,
  })

export const ownServersOptions = () =>
  queryOptions({
    queryKey: catalogKeys.servers,
    queryFn: ({ signal }) => requestJson<OwnServerList>({ path: apiPaths.ownServers(), signal }),
    refetchInterval: PACE_MS,
  })

/** Subscribes to the notification when one is free, or cancels it. */
export const watchOptions = () =>
  mutationOptions({
    mutationKey: ['catalog', 'watch'],
    mutationFn: ({ flavor, isWanted }: { flavor: string; isWanted: boolean }) =>
      requestNothing({ path: apiPaths.catalogWatch({ flavor }), method: isWanted ? 'PUT' : 'DELETE' }),
    onSuccess: (_nothing, _input, _result, { client }) =>
      client.invalidateQueries({ queryKey: catalogKeys.catalog }),
  })
