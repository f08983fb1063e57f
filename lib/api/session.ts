import { focusManager, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AccountDto, ScopeList, SessionList, SignedIn } from '@/lib/schemas/api/session'
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
    queryFn: ({ signal }) => requestJson<AccountDto>({ path: apiPaths.session(), signal }),
    staleTime: 60_000,
  })

export const scopeListOptions = () =>
  queryOptions({
    queryKey: sessionKeys.scopes,
    queryFn: ({ signal }) => requestJson<ScopeList>({ path: apiPaths.sessionScopes(), signal }),
  })

export const sessionListOptions = () =>
  queryOptions({
    queryKey: sessionKeys.sessions,
    queryFn: ({ signal }) => requestJson<SessionList>({ path: apiPaths.sessions(), signal }),
  })

/** After these the page is reloaded, so that no data of another role remains. */
export const signInOptions = () =>
  mutationOptions({
    mutationKey: ['account', 'signIn'],
    mutationFn: (body: SignInInput) =>
      requestJson<SignedIn>({ path: apiPaths.session(), method: 'POST', body }),
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
      requestJson<AccountDto>({ path: apiPaths.sessionScope(), method: 'POST', body }),
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
