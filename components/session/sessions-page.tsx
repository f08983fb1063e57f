'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { endSessionOptions, endSessionsOptions, sessionListOptions } from '@/lib/api/session'
import type { SessionDto } from '@/lib/schemas/api/session'
import { loginPath } from '@/lib/util/paths'
import { isNoSignIn, NoSignIn } from './no-sign-in'
import { scopeName } from './scope-labels'

const SessionRow = ({ session }: { session: SessionDto }) => {
  const end = useMutation(endSessionOptions())
  const confirm = async () => {
    await end.mutateAsync({ id: session.id })
    toast.done(`The session from ${session.address} has ended.`)
  }
  return (
    <Tr>
      <Td>
        {session.agent} {session.isThisOne ? <Tag tone="accent">this one</Tag> : null}
      </Td>
      <Td className="whitespace-nowrap font-mono text-small">{session.address}</Td>
      <Td>
        {session.scope === null ? 'none selected' : scopeName(session.scope)}
        {session.role === null ? null : <span className="text-ink3">, {session.role}</span>}
      </Td>
      <Td>
        <Moment at={session.createdAt} />
      </Td>
      <Td>
        <Moment at={session.lastUsedAt} />
      </Td>
      <Td>
        <Moment at={session.expiresAt} form="future" />
      </Td>
      <Td className="text-right">
        {session.isThisOne ? null : (
          <ConfirmButton
            label="End"
            accessibleLabel={`End the session from ${session.address}`}
            title="End this session?"
            confirmLabel="End the session"
            onConfirm={confirm}
          >
            {session.agent} at {session.address} is signed out immediately.
          </ConfirmButton>
        )}
      </Td>
    </Tr>
  )
}

const EndAll = ({ hasOthers }: { hasOthers: boolean }) => {
  const end = useMutation(endSessionsOptions())
  const others = async () => {
    await end.mutateAsync({ which: 'others' })
    toast.done('All your other sessions have ended.')
  }
  const all = async () => {
    await end.mutateAsync({ which: 'all' })
    window.location.assign(loginPath())
  }
  return (
    <>
      {hasOthers ? (
        <ConfirmButton
          label="End other sessions"
          accessibleLabel="End other sessions"
          title="End all your other sessions?"
          confirmLabel="End other sessions"
          onConfirm={others}
        >
          All your other browsers are signed out immediately. API tokens remain valid.
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        label="Sign out everywhere"
        accessibleLabel="Sign out everywhere"
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        onConfirm={all}
      >
        All your browsers, including this one, are signed out immediately. API tokens remain valid.
      </ConfirmButton>
    </>
  )
}

const SessionsPanel = ({ sessions }: { sessions: SessionDto[] }) => (
  <Panel
    title="Your sessions"
    note="browsers that are signed in as you"
    actions={<EndAll hasOthers={sessions.length > 1} />}
  >
    <SideScroll>
      <Table>
        <thead>
          <tr>
            <Th>Browser</Th>
            <Th>Address</Th>
            <Th>Scope</Th>
            <Th>Signed in</Th>
            <Th>Last used</Th>
            <Th>Ends</Th>
            <Th>
              <span className="sr-only">Action</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)

/** Settings → Sessions: the user's sessions, and the actions to end them. */
export const SessionsPage = () => {
  const list = useQuery(sessionListOptions())
  return (
    <>
      <PageTitle title="Sessions" />
      <SettingsNav />
      {list.isPending ? <Skeleton className="h-40" /> : null}
      {list.isError && isNoSignIn(list.error) ? <NoSignIn what="sessions" /> : null}
      {list.isError && !isNoSignIn(list.error) ? (
        <ErrorState
          title="Your sessions could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data === undefined ? null : list.data.sessions.length === 0 ? (
        <EmptyState title="No active sessions">Sign in again to start a session.</EmptyState>
      ) : (
        <SessionsPanel sessions={list.data.sessions} />
      )}
    </>
  )
}
