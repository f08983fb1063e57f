'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { chooseScopeOptions, scopeListOptions, signOutOptions } from '@/lib/api/session'
import type { ScopeChoice, ScopeDto } from '@/lib/schemas/api/session'
import { loginPath } from '@/lib/util/paths'
import { readLastScope, rememberScope } from './last-scope'
import { scopeKey, scopeName, scopeNote, scopeRoleLabel } from './scope-labels'

const FILTERED_FROM = 8
/** An account may have thousands of projects; the filter finds the others. */
const MAX_SHOWN = 100

/** Down and up go through the list, from the filter on. */
const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[at + step]?.focus()
  event.preventDefault()
}

/** The last choice first, so that Enter repeats it; a scope that no longer exists is ignored. */
const withLastFirst = (scopes: readonly ScopeChoice[], last: string | null): readonly ScopeChoice[] => {
  const found = scopes.find((scope) => scopeKey(scope) === last)
  return found === undefined ? scopes : [found, ...scopes.filter((scope) => scope !== found)]
}

const matches = (scope: ScopeDto, wanted: string): boolean =>
  `${scopeName(scope)} ${scopeNote(scope)}`.toLowerCase().includes(wanted)

/** A scope with the role that it gives. */
const ScopeButton = ({
  scope,
  note,
  isFocused,
  isBusy,
  onChoose,
}: {
  scope: ScopeChoice
  note: string | null
  isFocused: boolean
  isBusy: boolean
  onChoose: () => void
}) => {
  const role = scopeRoleLabel(scope)
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      // biome-ignore lint/a11y/noAutofocus: the last choice is preselected, as the first field of the step before
      autoFocus={isFocused}
      onClick={onChoose}
      className="group flex w-full items-center gap-2 rounded-control border border-transparent px-2.5 py-2 text-left hover:border-line hover:bg-bg aria-disabled:opacity-55"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-[550]">{scopeName(scope)}</span>
        <span className="block truncate text-ink3 text-small">{scopeNote(scope)}</span>
      </span>
      {note === null ? null : <Tag tone="accent">{note}</Tag>}
      {role === null ? null : <Tag tone={scope.role === 'none' ? 'warn' : 'quiet'}>{role}</Tag>}
      <ChevronRight size={15} aria-hidden className="flex-none text-ink3 group-hover:text-ink" />
    </button>
  )
}

/** The available projects and the system. Enter in the filter selects the first. */
export const ScopePicker = ({
  scopes,
  present,
  last = null,
  isBusy,
  onChoose,
}: {
  scopes: readonly ScopeChoice[]
  present: ScopeDto | null
  /** Key of the last choice. */
  last?: string | null
  isBusy: boolean
  onChoose: (scope: ScopeDto) => void
}) => {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const found = withLastFirst(scopes, last).filter((scope) => matches(scope, wanted))
  const shown = found.slice(0, MAX_SHOWN)
  const choose = (scope: ScopeDto | undefined) => scope !== undefined && !isBusy && onChoose(scope)
  const noteOf = (scope: ScopeDto): string | null => {
    if (present !== null) return scopeKey(present) === scopeKey(scope) ? 'in use' : null
    return scopeKey(scope) === last ? 'last used' : null
  }
  return (
    <fieldset aria-label="Project or system" onKeyDown={moveFocus} className="flex min-w-0 flex-col gap-2">
      {scopes.length < FILTERED_FROM ? null : (
        <Input
          type="search"
          aria-label="Filter projects"
          placeholder={`Filter ${scopes.length} projects`}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && choose(shown[0])}
          className="h-9"
        />
      )}
      <ul className="-mx-1 flex max-h-[44vh] flex-col gap-px overflow-y-auto px-1 py-0.5">
        {shown.map((scope) => (
          <li key={scopeKey(scope)}>
            <ScopeButton
              scope={scope}
              note={noteOf(scope)}
              isFocused={scopeKey(scope) === last}
              isBusy={isBusy}
              onChoose={() => choose(scope)}
            />
          </li>
        ))}
      </ul>
      {found.length > shown.length ? (
        <p role="status" className="text-ink2 text-small">
          {`${shown.length} of ${found.length} projects are shown. Type a part of the name to find the others.`}
        </p>
      ) : null}
      {shown.length === 0 ? <p className="text-ink2">No project's name contains "{wanted}".</p> : null}
    </fieldset>
  )
}

/** The second step of sign-in, and how the scope is changed later. */
export const ChooseScopeStep = ({ onChosen }: { onChosen: () => void }) => {
  const list = useQuery(scopeListOptions())
  const choose = useMutation(chooseScopeOptions())
  const take = (scope: ScopeDto) =>
    choose.mutate(scope.kind === 'system' ? { kind: 'system' } : { kind: 'project', id: scope.id }, {
      onSuccess: ({ cloud }) => {
        if (cloud !== null) rememberScope(cloud, scopeKey(scope))
        onChosen()
      },
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
        last={list.data.present === null ? readLastScope(list.data.cloud) : null}
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
