'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { agentSettingsOptions, revokeJoinTokenOptions } from '@/lib/api/agents'
import { actorLabel } from '@/lib/domain/wording'
import type { AgentSettings } from '@/lib/schemas/api/agents'
import { formatCount } from '@/lib/util/format'
import { AgentsPanel } from './agents-panel'
import { EnrollmentRequestsPanel } from './enrollment-requests-panel'

type JoinToken = AgentSettings['joinTokens'][number]

const states: Record<JoinToken['state'], { word: string; tone: 'quiet' | 'accent' }> = {
  usable: { word: 'usable', tone: 'accent' },
  expired: { word: 'expired', tone: 'quiet' },
  'used-up': { word: 'used up', tone: 'quiet' },
  revoked: { word: 'revoked', tone: 'quiet' },
}

const JoinTokenRow = ({ token }: { token: JoinToken }) => {
  const revoke = useMutation(revokeJoinTokenOptions())
  const refusal = useRefusal('join-token.revoke')
  const isUsable = token.state === 'usable'
  const confirm = async () => {
    await revoke.mutateAsync({ id: token.id })
    toast.done(`The join token "${token.label}" is revoked.`)
  }
  return (
    <Tr className={isUsable ? '' : 'text-ink3'}>
      <Td>
        {token.label}
        {token.hostName === null ? null : <span className="text-ink2"> only for {token.hostName}</span>}
      </Td>
      <Td>
        <Tag tone={states[token.state].tone}>{states[token.state].word}</Tag>
      </Td>
      <Td isNumber>
        {formatCount(token.uses)} / {formatCount(token.maxUses)}
      </Td>
      <Td>
        <Moment at={token.expiresAt} form="future" />
      </Td>
      <Td>{actorLabel(token.createdBy)}</Td>
      <Td className="text-right">
        {isUsable ? (
          <ConfirmButton
            label="Revoke"
            accessibleLabel={`Revoke the join token ${token.label}`}
            title={`Revoke the join token "${token.label}"?`}
            confirmLabel="Revoke token"
            onConfirm={confirm}
            refusal={refusal}
          >
            No other host can enroll with this token. Enrolled hosts are unaffected.
          </ConfirmButton>
        ) : null}
      </Td>
    </Tr>
  )
}

const JoinTokensPanel = ({ tokens }: { tokens: JoinToken[] }) => (
  <Panel title="Join tokens" note="let hosts enroll; shown only once">
    {tokens.length === 0 ? (
      <p className="text-ink2">No join token yet. "Add host" creates one.</p>
    ) : (
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Label</Th>
              <Th>State</Th>
              <Th isNumber>Used</Th>
              <Th>Expires</Th>
              <Th>Created by</Th>
              <Th>
                <span className="sr-only">Action</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <JoinTokenRow key={token.id} token={token} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
    )}
  </Panel>
)

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
              The agent is a single file. It reads the hardware, libvirt and nova.conf, and changes nothing.
              “Add host” creates a join token and shows the command to run on a compute host.
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
