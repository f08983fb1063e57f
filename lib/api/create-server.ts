import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { CreatedServer, NewServerStatus, ServerChoices } from '@/lib/schemas/api/create-server'
import type { CreateServer } from '@/lib/schemas/api/create-server-inputs'
import { apiPaths } from '@/lib/util/paths'
import { catalogKeys, ownServersOptions } from './catalog'
import { requestJson } from './client'

/** Read from OpenStack when the form opens; a choice does not move while it is made. */
export const serverChoicesOptions = (scope: { flavor: string }) =>
  queryOptions({
    queryKey: ['serverChoices', scope] as const,
    queryFn: ({ signal }) => requestJson<ServerChoices>({ path: apiPaths.serverChoices(scope), signal }),
    staleTime: 30_000,
  })

/** Until it has come up or failed. */
export const newServerOptions = (scope: { uuid: string }) =>
  queryOptions({
    queryKey: ['serverChoices', 'new', scope] as const,
    queryFn: ({ signal }) => requestJson<NewServerStatus>({ path: apiPaths.ownServer(scope), signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || data.status === 'BUILD' ? 5000 : false),
  })

export const createServerOptions = () =>
  mutationOptions({
    mutationKey: ['serverChoices', 'create'],
    mutationFn: (body: CreateServer) =>
      requestJson<CreatedServer>({ path: apiPaths.ownServers(), method: 'POST', body }),
    onSuccess: async (_created, _body, _result, { client }) => {
      for (const queryKey of [ownServersOptions().queryKey, catalogKeys.catalog])
        await client.invalidateQueries({ queryKey })
      await client.invalidateQueries({ queryKey: ['serverChoices'] })
    },
  })
