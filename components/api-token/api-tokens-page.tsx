'use client'

import { useQuery } from '@tanstack/react-query'
import { isNoSignIn, NoSignIn } from '@/components/session/no-sign-in'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { apiTokenListOptions } from '@/lib/api/api-tokens'
import { ApiTokensPanel } from './api-tokens-panel'
import { MakeApiTokenDialog } from './make-api-token-dialog'

/** Settings → API tokens: what scripts sign in with. */
export const ApiTokensPage = () => {
  const list = useQuery(apiTokenListOptions())
  return (
    <>
      <PageTitle title="API tokens" actions={list.data === undefined ? null : <MakeApiTokenDialog />} />
      <SettingsNav />
      {list.isPending ? <Skeleton className="h-40" /> : null}
      {list.isError && isNoSignIn(list.error) ? <NoSignIn what="API tokens" /> : null}
      {list.isError && !isNoSignIn(list.error) ? (
        <ErrorState
          title="The API tokens could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data === undefined ? null : list.data.tokens.length === 0 ? (
        <EmptyState title="No API token yet">
          A script that sends one as "Authorization: Bearer …" gets from the API what you get from these
          pages. "Make a token" above makes one that reads, or also writes, and that expires.
        </EmptyState>
      ) : (
        <ApiTokensPanel tokens={list.data.tokens} />
      )}
    </>
  )
}
