import Link from 'next/link'
import { LimitFigure } from '@/components/quota/limit-figure'
import { className } from '@/components/quota/quota-labels'
import { Moment } from '@/components/shell/moment'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import { Tag } from '@/components/ui/tag'
import { isUndecided } from '@/lib/domain/quota-request/request-status'
import type { ListedRequest } from '@/lib/schemas/api/quota-request'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatShare } from '@/lib/util/format'
import { quotaRequestPath } from '@/lib/util/paths'
import { promisedAfter, REQUEST_STATE_TAGS } from './request-labels'
import { UntilText } from './until-text'

/** All limits against the capacity after the approval. */
const AllocatedAfter = ({ request }: { request: ListedRequest }) => {
  if (!isUndecided(request.status)) return null
  const after = promisedAfter(request)
  const { capacity } = request
  if (after === null || capacity === null || capacity === 0)
    return <Unknown reason="the limits or the capacity are unknown" />
  const share = after / capacity
  return (
    <>
      <span className={classNames(share > 1 && 'text-warn')}>{formatShare(share)}</span>
      <p className="text-ink3 text-small">
        {formatCount(after)} of {formatCount(capacity)}
      </p>
    </>
  )
}

/** Quota requests as admins see them. */
export const REQUEST_COLUMNS: readonly Column<ListedRequest>[] = [
  { id: 'number', header: 'No.', className: 'text-ink3 tabular-nums', cell: ({ id }) => id },
  {
    id: 'project',
    header: 'Project',
    isFixed: true,
    className: 'min-w-44',
    cell: ({ id, projectName, reason, problem, endNote }, { cloud }) => {
      const trouble = problem ?? endNote
      return (
        <>
          <Link href={quotaRequestPath({ cloud, id })} className="font-[550] text-accent-ink hover:underline">
            {projectName}
          </Link>
          <p className="line-clamp-2 max-w-[60ch] text-ink2 text-small wrap-anywhere">{reason}</p>
          {trouble === null ? null : (
            <p className="max-w-[60ch] text-small text-warn wrap-anywhere">{trouble}</p>
          )}
        </>
      )
    },
  },
  {
    id: 'class',
    header: 'Class',
    className: 'whitespace-nowrap',
    cell: ({ resourceName }) => className(resourceName),
  },
  {
    id: 'limit',
    header: 'Current limit',
    title: 'Current limit of the project',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ limit }) =>
      limit === null ? <Unknown reason="not reported by Keystone" /> : <LimitFigure limit={limit} />,
  },
  {
    id: 'requested',
    header: 'Requested',
    title: 'Requested or granted limit',
    isNumber: true,
    className: 'whitespace-nowrap font-[550]',
    cell: ({ status, value, grantedValue }) =>
      formatCount(isUndecided(status) ? value : (grantedValue ?? value)),
  },
  {
    id: 'allocated',
    header: 'Allocated quota',
    title: 'Sum of all limits against the capacity, after the approval',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: (request) => <AllocatedAfter request={request} />,
  },
  {
    id: 'until',
    header: 'Until',
    className: 'whitespace-nowrap text-ink2',
    cell: ({ until, grantedValue, grantedUntil }) => (
      <UntilText until={grantedValue === null ? until : grantedUntil} />
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ status }) => {
      const { word, tone } = REQUEST_STATE_TAGS[status]
      return <Tag tone={tone}>{word}</Tag>
    },
  },
  {
    id: 'updated',
    header: 'Updated',
    className: 'text-ink2',
    cell: ({ decidedAt, madeAt }) => <Moment at={decidedAt ?? madeAt} />,
  },
]
