import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Catalog, OwnServerList } from '@/lib/schemas/api/catalog'
import type { CatalogQuestion } from '@/lib/schemas/api/catalog-question'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'
import { pagedList } from './paged-list'

export const catalogKeys = {
  catalog: ['catalog'] as const,
  some: (ids: readonly string[]) => ['catalog', 'some', ids] as const,
  watched: ['catalog', 'watched'] as const,
  servers: ['ownServers'] as const,
}

/** A constant interval: a faster one after a change would reveal that something changed. */
const PACE_MS = 15_000

/** The flavors of the project. */
export const catalogPages = pagedList<CatalogQuestion, Catalog>({
  key: [...catalogKeys.catalog, 'pages'],
  path: apiPaths.catalog,
  pageSize: 24,
  pace: { fastMs: PACE_MS, slowMs: PACE_MS },
})

/** Flavors by id, independent of the filter of the list. */
export const someFlavorsOptions = (ids: readonly string[]) =>
  queryOptions({
    queryKey: catalogKeys.some(ids),
    queryFn: ({ signal }) => requestJson<Catalog>({ path: apiPaths.catalog({ ids: ids.join() }), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: PACE_MS,
    enabled: ids.length > 0,
  })

/** Flavors of which the person has requested a notification. */
export const watchedFlavorsOptions = () =>
  queryOptions({
    queryKey: catalogKeys.watched,
    queryFn: ({ signal }) =>
      requestJson<Catalog>({ path: apiPaths.catalog({ watched: 'true', sort: 'name' }), signal }),
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
