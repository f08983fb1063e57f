'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Tooltip } from '@/components/ui/tooltip'
import { agentSettingsOptions } from '@/lib/api/agents'
import { AgentsPanel } from './agents-panel'
import { EnrollmentRequestsPanel } from './enrollment-requests-panel'
import { JoinTokensPanel } from './join-tokens-panel'

/** The form's code is fetched apart: most visits only look. */
const AddHostDialog = dynamic(() => import('./add-host-dialog').then((module) => module.AddHostDialog))

const Pending = () => (
  <div className="flex flex-col gap-3" aria-hidden>
    <Skeleton className="h-44" />
    <Skeleton className="h-80" />
  </div>
)

const AddHost = ({ cloud }: { cloud: string }) => {
  const refusal = useRefusal('join-token.create')
  if (refusal === null) return <AddHostDialog cloud={cloud} />
  return (
    <Tooltip content={refusal}>
      <Button variant="main" isUnavailable>
        <Plus size={14} aria-hidden />
        Add host
      </Button>
    </Tooltip>
  )
}

/** Settings → Agents: add hosts, join tokens, credentials. */
export const AgentsPage = () => {
  const { cloud } = useCloud()
  const settings = useQuery(agentSettingsOptions({ cloud }))
  const addHost = settings.data === undefined ? null : <AddHost cloud={settings.data.cloud} />
  return (
    <>
      <PageHeader
        title="Agents"
        sub={settings.data === undefined ? undefined : `of ${settings.data.cloud}`}
        actions={addHost}
      />
      <SettingsNav />
      {settings.isError && settings.data === undefined ? (
        <ErrorState
          title="The agents could not be loaded"
          error={settings.error}
          onRetry={() => void settings.refetch()}
          isRetrying={settings.isFetching}
        />
      ) : null}
      {settings.isPending ? <Pending /> : null}
      {settings.data === undefined ? null : (
        <div className="flex flex-col gap-3">
          <EnrollmentRequestsPanel requests={settings.data.enrollmentRequests} />
          {settings.data.agents.length === 0 ? (
            <EmptyState title="No host reports yet">
              The agent is one file that reads what the hardware, libvirt and nova.conf say, and changes
              nothing. "Add host" above creates a join token and shows the command to run on a compute host.
            </EmptyState>
          ) : (
            <AgentsPanel agents={settings.data.agents} cloud={cloud} />
          )}
          <JoinTokensPanel tokens={settings.data.joinTokens} />
        </div>
      )}
    </>
  )
}
