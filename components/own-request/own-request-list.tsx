'use client'

import { useMutation } from '@tanstack/react-query'
import { className } from '@/components/quota/quota-words'
import { UntilText } from '@/components/quota-request/until-text'
import { Moment } from '@/components/shell/moment'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Tag } from '@/components/ui/tag'
import { withdrawRequestOptions } from '@/lib/api/own-requests'
import { isUndecided } from '@/lib/domain/quota-request/request-standing'
import type { OwnRequest } from '@/lib/schemas/api/quota-request'
import { formatCount } from '@/lib/util/format'
import { OWN_TAGS } from './own-request-words'

const Withdraw = ({ number }: { number: number }) => {
  const withdraw = useMutation(withdrawRequestOptions())
  return (
    <ConfirmButton
      label="Withdraw"
      accessibleLabel={`Withdraw request ${number}`}
      title={`Withdraw request ${number}`}
      confirmLabel="Withdraw"
      onConfirm={() => withdraw.mutateAsync({ number })}
    >
      Admins will not review it. You can request the quota again at any time.
    </ConfirmButton>
  )
}

const Granted = ({ request }: { request: OwnRequest }) => {
  const { grantedValue, grantedUntil, value, until, endedAt } = request
  if (grantedValue === null) return null
  if (endedAt !== null)
    return (
      <p className="text-ink2">
        Granted: {formatCount(grantedValue)}, ended <Moment at={endedAt} />.
      </p>
    )
  return grantedValue === value && grantedUntil === until ? null : (
    <p>
      Granted: {formatCount(grantedValue)}, <UntilText until={grantedUntil} />.
    </p>
  )
}

const Item = ({ request }: { request: OwnRequest }) => {
  const { word, tone } = OWN_TAGS[request.standing]
  return (
    <li className="rounded-panel border border-line bg-panel px-3.5 py-3">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <h2 className="m-0 font-semibold text-body wrap-anywhere">
          {formatCount(request.value)} {className(request.resourceName)}, <UntilText until={request.until} />
        </h2>
        <Tag tone={tone}>{word}</Tag>
        <span className="ml-auto text-ink3 text-small">request {request.number}</span>
      </div>
      <p className="mt-1 max-w-[80ch] whitespace-pre-wrap text-ink2 wrap-anywhere">{request.reason}</p>
      <div className="mt-1.5 flex flex-col gap-1">
        {request.revertedAt === null ? null : (
          <p>
            Reverted on <Moment at={request.revertedAt} />. The request is open again.
          </p>
        )}
        <Granted request={request} />
        {request.answer === null ? null : (
          <p className="max-w-[80ch] whitespace-pre-wrap wrap-anywhere">
            <span className="font-[550]">Answer:</span> {request.answer}
          </p>
        )}
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink3 text-small">
        <span>
          Requested by {request.madeBy}, <Moment at={request.madeAt} />
        </span>
        {request.decidedAt === null ? null : (
          <span>
            {request.standing === 'withdrawn' ? 'Withdrawn' : 'Decided'} <Moment at={request.decidedAt} />
          </span>
        )}
        {isUndecided(request.standing) ? <Withdraw number={request.number} /> : null}
      </div>
    </li>
  )
}

/** The project's requests, the newest first. */
export const OwnRequestItems = ({ requests }: { requests: readonly OwnRequest[] }) => (
  <ul aria-label="Requests of the project" className="flex min-w-0 flex-col gap-2.5">
    {requests.map((request) => (
      <Item key={request.number} request={request} />
    ))}
  </ul>
)
