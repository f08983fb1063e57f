'use client'

import { useMutation } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { revokeApiTokenOptions } from '@/lib/api/api-tokens'
import type { ApiTokenDto } from '@/lib/schemas/api/api-tokens'

const states: Record<ApiTokenDto['state'], { word: string; tone: 'quiet' | 'accent' }> = {
  usable: { word: 'usable', tone: 'accent' },
  expired: { word: 'expired', tone: 'quiet' },
  revoked: { word: 'revoked', tone: 'quiet' },
}

const access: Record<ApiTokenDto['access'], string> = { read: 'reads', write: 'reads and writes' }

const ApiTokenRow = ({ token }: { token: ApiTokenDto }) => {
  const revoke = useMutation(revokeApiTokenOptions())
  const isUsable = token.state === 'usable'
  const confirm = async () => {
    await revoke.mutateAsync({ id: token.id })
    toast.done(`The API token "${token.label}" is revoked.`)
  }
  return (
    <Tr className={isUsable ? '' : 'text-ink3'}>
      <Td>{token.label}</Td>
      <Td>
        <Tag tone={states[token.state].tone}>{states[token.state].word}</Tag>
      </Td>
      <Td>
        {access[token.access]} <span className="text-ink3">as {token.role}</span>
      </Td>
      <Td>{token.scope}</Td>
      <Td>{token.isOwn ? 'you' : token.owner}</Td>
      <Td>
        <Moment at={token.lastUsedAt} />
        {token.lastAddress === null ? null : <span className="text-ink3"> from {token.lastAddress}</span>}
      </Td>
      <Td>
        <Moment at={token.expiresAt} form="future" />
      </Td>
      <Td className="text-right">
        {isUsable ? (
          <ConfirmButton
            label="Revoke"
            accessibleLabel={`Revoke the API token ${token.label}`}
            title={`Revoke the API token "${token.label}"?`}
            confirmLabel="Revoke the token"
            onConfirm={confirm}
          >
            Scripts that use it are refused from now on. It can't be made valid again.
          </ConfirmButton>
        ) : null}
      </Td>
    </Tr>
  )
}

export const ApiTokensPanel = ({ tokens }: { tokens: ApiTokenDto[] }) => (
  <Panel title="API tokens" note="for scripts; shown once, when they are made">
    <SideScroll>
      <Table>
        <thead>
          <tr>
            <Th>Label</Th>
            <Th>State</Th>
            <Th>May</Th>
            <Th>Scope</Th>
            <Th>Of</Th>
            <Th>Last used</Th>
            <Th>Expires</Th>
            <Th>
              <span className="sr-only">Action</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <ApiTokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)
