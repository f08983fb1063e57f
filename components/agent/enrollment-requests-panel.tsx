'use client'

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { decideEnrollmentOptions } from '@/lib/api/agents'
import type { EnrollmentRequest } from '@/lib/schemas/api/enrollment-requests'
import { formatCount } from '@/lib/util/format'

const REASONS: Readonly<Record<EnrollmentRequest['reason'], string>> = {
  'live-credential': 'The host already has a credential, and the join token is not bound to the host.',
  'removed-host': 'The host was removed from the console.',
}

const Approve = ({
  request: { id, host, code },
  decision,
  label,
  children,
}: {
  request: EnrollmentRequest
  decision: 'approve' | 'approve-as-new'
  label: string
  children: ReactNode
}) => {
  const decide = useMutation(decideEnrollmentOptions())
  const refusal = useRefusal('enrollment.decide')
  const approve = async () => {
    await decide.mutateAsync({ id, decision })
    toast.done(`Request ${code} is approved. ${host} enrolls within a minute.`)
  }
  return (
    <ConfirmButton
      label={label}
      accessibleLabel={`${label}: request ${code} of ${host}`}
      title={`Issue a new credential for ${host}?`}
      confirmLabel="Approve enrollment"
      onConfirm={approve}
      refusal={refusal}
    >
      The agent that sent request {code} gets a new credential within 24 hours. {children} Approve only if the
      log of the agent on {host} shows the code {code}.
    </ConfirmButton>
  )
}

const Approvals = ({ request }: { request: EnrollmentRequest }) =>
  request.reason === 'removed-host' ? (
    <>
      <Approve request={request} decision="approve" label="Approve with history">
        {request.host} is restored and continues its history.
      </Approve>
      <Approve request={request} decision="approve-as-new" label="Approve as new host">
        {request.host} is enrolled as a new host. The removed host keeps its own history.
      </Approve>
    </>
  ) : (
    <Approve request={request} decision="approve" label="Approve">
      The current credential of {request.host} is revoked.
    </Approve>
  )

const Decisions = ({ request }: { request: EnrollmentRequest }) => {
  const decide = useMutation(decideEnrollmentOptions())
  const refusal = useRefusal('enrollment.decide')
  const { id, host, code } = request
  const decline = async () => {
    await decide.mutateAsync({ id, decision: 'decline' })
    toast.done(`Request ${code} is declined.`)
  }
  return (
    <div className="flex justify-end gap-2">
      <Approvals request={request} />
      <ConfirmButton
        label="Decline"
        accessibleLabel={`Decline request ${code} of ${host}`}
        title={`Decline the enrollment of ${host}?`}
        confirmLabel="Decline enrollment"
        onConfirm={decline}
        refusal={refusal}
      >
        The join token "{request.joinTokenLabel}" can no longer be used for {host}. If the token has leaked,
        revoke it below.
      </ConfirmButton>
    </div>
  )
}

const RequestRow = ({ request }: { request: EnrollmentRequest }) => (
  <Tr>
    <Td>
      <span className="whitespace-nowrap">{request.host}</span>
      <p className="text-ink2 text-small">{REASONS[request.reason]}</p>
    </Td>
    <Td className="font-mono text-small">{request.code}</Td>
    <Td className="font-mono text-small">{request.address}</Td>
    <Td>{request.joinTokenLabel}</Td>
    <Td>
      <Moment at={request.hostSeenAt} />
    </Td>
    <Td>
      <Moment at={request.lastAt} />
      <p className="text-ink2 text-small">
        {formatCount(request.attempts)} {request.attempts === 1 ? 'attempt' : 'attempts'}
      </p>
    </Td>
    <Td className="text-right">
      {request.state === 'approved' ? <Tag tone="accent">approved</Tag> : <Decisions request={request} />}
    </Td>
  </Tr>
)

/** Hosts that enroll only after an admin has approved it. Not shown while there are none. */
export const EnrollmentRequestsPanel = ({ requests }: { requests: EnrollmentRequest[] }) =>
  requests.length === 0 ? null : (
    <Panel title="Enrollment requests" note="waiting for approval">
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Host</Th>
              <Th>Code</Th>
              <Th>From</Th>
              <Th>Join token</Th>
              <Th>Host last seen</Th>
              <Th>Last attempt</Th>
              <Th>
                <span className="sr-only">Action</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <RequestRow key={request.id} request={request} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
    </Panel>
  )
