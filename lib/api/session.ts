import { focusManager, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { accountSchema, scopeListSchema, sessionListSchema, signedInSchema } from '@/lib/schemas/api/session'
import type { ChooseScope, SignInInput } from '@/lib/schemas/api/session-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

const sessionKeys = {
  account: ['account'] as const,
  scopes: ['account', 'scopes'] as const,
  sessions: ['sessions'] as const,
}

export const accountOptions = () =>
  queryOptions({
    queryKey: sessionKeys.account,
    queryFn: ({ signal }) => requestJson({ path: apiPaths.session(), schema: accountSchema, signal }),
    staleTime: 60_000,
  })

export const scopeListOptions = () =>
  queryOptions({
    queryKey: sessionKeys.scopes,
    queryFn: ({ signal }) => requestJson({ path: apiPaths.sessionScopes(), schema: scopeListSchema, signal }),
  })

export const sessionListOptions = () =>
  queryOptions({
    queryKey: sessionKeys.sessions,
    queryFn: ({ signal }) => requestJson({ path: apiPaths.sessions(), schema: sessionListSchema, signal }),
  })

/** After these the page is reloaded, so that no data of another role remains. */
export const signInOptions = () =>
  mutationOptions({
    mutationKey: ['account', 'signIn'],
    mutationFn: (body: SignInInput) =>
      requestJson({ path: apiPaths.session(), method: 'POST', body, schema: signedInSchema }),
  })

/**
 * The page that is left stops its requests, because they may be refused with another role, or none. Polling pauses
 * without focus.
 */
const leavePage = async (client: QueryClient) => {
  focusManager.setFocused(false)
  await client.cancelQueries()
}
const stayOnPage = () => focusManager.setFocused(undefined)

export const chooseScopeOptions = () =>
  mutationOptions({
    mutationKey: ['account', 'chooseScope'],
    onMutate: (_scope: ChooseScope, { client }) => leavePage(client),
    onError: stayOnPage,
    mutationFn: (body: ChooseScope) =>
      requestJson({ path: apiPaths.sessionScope(), method: 'POST', body, schema: accountSchema }),
  })

export const signOutOptions = () =>
  mutationOptions<void, Error, void>({
    mutationKey: ['account', 'signOut'],
    onMutate: (_nothing, { client }) => leavePage(client),
    onError: stayOnPage,
    mutationFn: () => requestNothing({ path: apiPaths.session(), method: 'DELETE' }),
  })

export const endSessionOptions = () =>
  mutationOptions({
    mutationKey: ['sessions', 'end'],
    mutationFn: ({ id }: { id: number }) =>
      requestNothing({ path: apiPaths.sessionById({ id }), method: 'DELETE' }),
    onSuccess: (_nothing, _session, _result, { client }) =>
      client.invalidateQueries({ queryKey: sessionKeys.sessions }),
  })

export const endSessionsOptions = () =>
  mutationOptions({
    mutationKey: ['sessions', 'endAll'],
    mutationFn: ({ which }: { which: 'all' | 'others' }) =>
      requestNothing({ path: apiPaths.sessions({ which }), method: 'DELETE' }),
    onSuccess: (_nothing, { which }, _result, { client }) =>
      which === 'others' ? client.invalidateQueries({ queryKey: sessionKeys.sessions }) : undefined,
  })
