import Link from 'next/link'
import { LimitFigure } from '@/components/quota/limit-figure'
import { className, percentWords } from '@/components/quota/quota-words'
import { Moment } from '@/components/shell/moment'
import { Unknown } from '@/components/ui/key-values'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { isUndecided } from '@/lib/domain/quota-request/request-standing'
import type { ListedRequest } from '@/lib/schemas/api/quota-request'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { quotaRequestPath } from '@/lib/util/paths'
import { promisedAfter, STANDING_TAGS } from './request-words'
import { UntilText } from './until-text'

/** All limits against the capacity after the approval. */
const AllocatedAfter = ({ request }: { request: ListedRequest }) => {
  if (!isUndecided(request.standing)) return null
  const after = promisedAfter(request)
  const { capacity } = request
  if (after === null || capacity === null || capacity === 0)
    return <Unknown reason="the limits or the capacity are not known" />
  const share = after / capacity
  return (
    <>
      <span className={classNames(share > 1 && 'text-warn')}>{percentWords(share)}</span>
      <p className="text-ink3 text-small">
        {formatCount(after)} of {formatCount(capacity)}
      </p>
    </>
  )
}

const RequestRow = ({ request, cloud }: { request: ListedRequest; cloud: string | null }) => {
  const { word, tone } = STANDING_TAGS[request.standing]
  const trouble = request.problem ?? request.endNote
  return (
    <Tr className="align-baseline">
      <Td className="text-ink3 tabular-nums">{request.id}</Td>
      <Td className="min-w-44">
        <Link
          href={quotaRequestPath({ cloud, id: request.id })}
          className="font-[550] text-accent-ink hover:underline"
        >
          {request.projectName}
        </Link>
        <p className="line-clamp-2 max-w-[60ch] text-ink2 text-small wrap-anywhere">{request.reason}</p>
        {trouble === null ? null : (
          <p className="max-w-[60ch] text-small text-warn wrap-anywhere">{trouble}</p>
        )}
      </Td>
      <Td className="whitespace-nowrap">{className(request.resourceName)}</Td>
      <Td isNumber className="whitespace-nowrap">
        {request.limit === null ? (
          <Unknown reason="not reported by Keystone" />
        ) : (
          <LimitFigure limit={request.limit} />
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap font-[550]">
        {formatCount(isUndecided(request.standing) ? request.value : (request.grantedValue ?? request.value))}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <AllocatedAfter request={request} />
      </Td>
      <Td className="whitespace-nowrap text-ink2">
        <UntilText until={request.grantedValue === null ? request.until : request.grantedUntil} />
      </Td>
      <Td>
        <Tag tone={tone}>{word}</Tag>
      </Td>
      <Td className="text-ink2">
        <Moment at={request.decidedAt ?? request.madeAt} />
      </Td>
    </Tr>
  )
}

/** Quota requests as admins see them. */
export const RequestTable = ({
  requests,
  cloud,
}: {
  requests: readonly ListedRequest[]
  cloud: string | null
}) => (
  <TablePanel>
    <Table aria-label="Quota requests">
      <thead>
        <tr>
          <Th>No.</Th>
          <Th>Project</Th>
          <Th>Class</Th>
          <Th isNumber title="Current limit of the project">
            Current limit
          </Th>
          <Th isNumber title="Requested or granted limit">
            Requested
          </Th>
          <Th isNumber title="Sum of all limits against the capacity, after the approval">
            Allocated quota
          </Th>
          <Th>Until</Th>
          <Th>State</Th>
          <Th>Updated</Th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} cloud={cloud} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)
