'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { endAcknowledgementOptions } from '@/lib/api/findings'
import { accountOptions } from '@/lib/api/session'
import { describeRefusal } from '@/lib/domain/access/describe-refusal'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { FindingDetail, TrackedFinding } from '@/lib/schemas/api/finding'
import type { Role } from '@/lib/schemas/roles'
import { FixLink } from './fix-link'
import { MuteButton } from './mute-button'
import { UnmuteButton } from './unmute-button'

/** Why the finding cannot be acknowledged, or not by this person; null: it can be. A role of null is not loaded yet. */
export const whyNotAcknowledge = (
  { state }: Pick<TrackedFinding, 'state'>,
  role: Role | null,
): string | null => {
  if (role === null) return 'Your role is being loaded.'
  if (!isAllowed({ roles: [role], action: 'finding.acknowledge' }))
    return describeRefusal('finding.acknowledge')
  return state === 'closed' ? 'The finding is resolved.' : null
}

/** The form's code is fetched apart: most visits only look. */
const AcknowledgeDialog = dynamic(() =>
  import('./acknowledge-dialog').then((module) => module.AcknowledgeDialog),
)

const EndAcknowledgement = ({ finding, refusal }: { finding: FindingDetail; refusal: string | null }) => {
  const end = useMutation(endAcknowledgementOptions({ id: finding.id }))
  const run = () =>
    end.mutate(undefined, {
      onSuccess: () => toast.done(`Finding ${finding.id} is open again.`),
      onError: (err) => toast.error('The acknowledgment was not ended.', err.message),
    })
  return (
    <Tooltip content={refusal}>
      <Button isUnavailable={refusal !== null || end.isPending} onClick={run}>
        End acknowledgement
      </Button>
    </Tooltip>
  )
}

/** The fix first, then acknowledgement and mute; an unavailable action shows the reason. */
export const FindingActions = ({ finding, cloud }: { finding: FindingDetail; cloud: string | null }) => {
  const account = useQuery(accountOptions())
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const refusal = whyNotAcknowledge(finding, account.data?.role ?? null)
  const isAcknowledged = finding.state === 'acknowledged'
  const open = () => {
    setWasOpened(true)
    setIsOpen(true)
  }
  return (
    <>
      {finding.mute === null ? (
        finding.state === 'closed' ? null : (
          <MuteButton code={finding.code} title={finding.title} />
        )
      ) : (
        <UnmuteButton code={finding.code} title={finding.title} />
      )}
      {isAcknowledged ? <EndAcknowledgement finding={finding} refusal={refusal} /> : null}
      <Tooltip content={refusal}>
        <Button isUnavailable={refusal !== null} aria-haspopup="dialog" onClick={open}>
          {isAcknowledged ? 'Change note or date' : 'Acknowledge'}
        </Button>
      </Tooltip>
      <FixLink finding={finding} cloud={cloud} variant="main" />
      {wasOpened ? <AcknowledgeDialog finding={finding} isOpen={isOpen} onOpenChange={setIsOpen} /> : null}
    </>
  )
}
