'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { chooseScopeOptions, scopeListOptions, signOutOptions } from '@/lib/api/session'
import type { ScopeDto } from '@/lib/schemas/api/session'
import { loginPath } from '@/lib/util/paths'
import { ScopePicker } from './scope-picker'

/** The second step of sign-in, and how the scope is changed later. */
export const ChooseScopeStep = ({ onChosen }: { onChosen: () => void }) => {
  const list = useQuery(scopeListOptions())
  const choose = useMutation(chooseScopeOptions())
  const take = (scope: ScopeDto) =>
    choose.mutate(scope.kind === 'system' ? { kind: 'system' } : { kind: 'project', id: scope.id }, {
      onSuccess: onChosen,
    })
  if (list.isPending)
    return (
      <div role="status" aria-label="Loading projects" className="flex flex-col gap-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
    )
  if (list.isError)
    return (
      <ErrorState
        title="Your projects could not be loaded"
        error={list.error}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
    )
  return (
    <>
      {choose.isError ? (
        <p role="alert" className="mb-2 rounded-control border border-bad bg-bad2 px-3 py-2 text-ink">
          {choose.error.message}
        </p>
      ) : null}
      <ScopePicker
        scopes={list.data.scopes}
        present={list.data.present}
        isBusy={choose.isPending || choose.isSuccess}
        onChoose={take}
      />
    </>
  )
}

/** Out again, before anything was chosen. */
export const OtherAccountButton = () => {
  const signOut = useMutation(signOutOptions())
  return (
    <Button
      variant="ghost"
      isUnavailable={signOut.isPending}
      onClick={() => signOut.mutate(undefined, { onSettled: () => window.location.assign(loginPath()) })}
    >
      Use another account
    </Button>
  )
}
