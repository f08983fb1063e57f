'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { NewerAgent } from '@/components/agent/newer-agent'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { revokeAgentOptions } from '@/lib/api/agents'
import type { AgentSettings } from '@/lib/schemas/api/agents'
import { formatCount, formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'

type Agent = AgentSettings['agents'][number]

const PAGE = 100

const states: Record<Agent['state'], { word: string; tone: 'quiet' | 'accent' | 'warn' }> = {
  active: { word: 'reporting', tone: 'accent' },
  silent: { word: 'silent', tone: 'warn' },
  'never-reported': { word: 'no report yet', tone: 'warn' },
  revoked: { word: 'revoked', tone: 'quiet' },
}

const AgentRow = ({ agent, cloud }: { agent: Agent; cloud: string | null }) => {
  const revoke = useMutation(revokeAgentOptions())
  const refusal = useRefusal('agent.revoke')
  const isRevoked = agent.state === 'revoked'
  const confirm = async () => {
    await revoke.mutateAsync({ credentialId: agent.credentialId })
    toast.done(`The credential of ${agent.host} is revoked.`)
  }
  return (
    <Tr className={isRevoked ? 'text-ink3' : ''}>
      <Td className="whitespace-nowrap">
        <Link href={hostPath({ cloud, host: agent.host })} className="hover:underline">
          {agent.host}
        </Link>
      </Td>
      <Td>
        <Tag tone={states[agent.state].tone}>{states[agent.state].word}</Tag>
      </Td>
      <Td>
        {agent.agentVersion ?? <span className="text-ink3">not reported yet</span>}
        {agent.isNewer ? <NewerAgent /> : null}
      </Td>
      <Td>
        <Moment at={agent.enrolledAt} />
      </Td>
      <Td>
        <Moment at={agent.seenAt} />
      </Td>
      <Td className="text-right">
        {isRevoked ? null : (
          <ConfirmButton
            label="Revoke"
            accessibleLabel={`Revoke the credential of ${agent.host}`}
            title={`Revoke the credential of ${agent.host}?`}
            confirmLabel="Revoke credential"
            onConfirm={confirm}
            refusal={refusal}
          >
            The agent on {agent.host} can no longer report. Its last known numbers stay, marked as silent. To
            enroll it again, create a new join token and run its command on the host.
          </ConfirmButton>
        )}
      </Td>
    </Tr>
  )
}

const AgentsTable = ({ agents, cloud }: { agents: Agent[]; cloud: string | null }) => (
  <SideScroll>
    <Table>
      <thead>
        <tr>
          <Th>Host</Th>
          <Th>State</Th>
          <Th>Agent</Th>
          <Th>Enrolled</Th>
          <Th>Last seen</Th>
          <Th>
            <span className="sr-only">Action</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <AgentRow key={agent.credentialId} agent={agent} cloud={cloud} />
        ))}
      </tbody>
    </Table>
  </SideScroll>
)

/** Credentials, a hundred at a time, with a filter by host. */
export const AgentsPanel = ({ agents, cloud }: { agents: Agent[]; cloud: string | null }) => {
  const [filter, setFilter] = useState('')
  const [shown, setShown] = useState(PAGE)
  const wanted = filter.trim().toLowerCase()
  const matching = agents.filter((agent) => agent.host.includes(wanted))
  const active = agents.filter((agent) => agent.state !== 'revoked').length
  return (
    <Panel
      title="Agents"
      note={`${formatNoun(active, 'valid credential')}, ${formatCount(agents.length - active)} revoked`}
      actions={
        agents.length > 8 ? (
          <Input
            type="search"
            aria-label="Filter agents by host"
            placeholder="Filter by host"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="w-44"
          />
        ) : null
      }
    >
      {matching.length === 0 ? (
        <p className="text-ink2">
          {agents.length === 0
            ? 'No agent has enrolled yet. "Add host" shows the command to run.'
            : `No host name contains "${wanted}".`}
        </p>
      ) : (
        <AgentsTable agents={matching.slice(0, shown)} cloud={cloud} />
      )}
      {matching.length > shown ? (
        <div className="mt-2.5">
          <Button onClick={() => setShown(shown + PAGE)}>Show more of {formatCount(matching.length)}</Button>
        </div>
      ) : null}
    </Panel>
  )
}
