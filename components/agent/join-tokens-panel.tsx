'use client'

import { useMutation } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { revokeJoinTokenOptions } from '@/lib/api/agents'
import { actorWords } from '@/lib/domain/wording'
import type { AgentSettings } from '@/lib/schemas/api/agents'
import { formatCount } from '@/lib/util/format'

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
      <Td>{actorWords(token.createdBy)}</Td>
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

export const JoinTokensPanel = ({ tokens }: { tokens: JoinToken[] }) => (
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
