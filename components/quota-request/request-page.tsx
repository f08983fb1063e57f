'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { LimitFigure } from '@/components/quota/limit-figure'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { className } from '@/components/quota/quota-words'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Tag } from '@/components/ui/tag'
import { quotaRequestOptions } from '@/lib/api/quota-requests'
import { isUndecided } from '@/lib/domain/quota-request/request-standing'
import { actorWords } from '@/lib/domain/wording'
import type { RequestDetail } from '@/lib/schemas/api/quota-request'
import { formatCount } from '@/lib/util/format'
import { changePath, quotaRequestsPath } from '@/lib/util/paths'
import { DecisionPanel } from './decision-panel'
import { STANDING_TAGS, valueWords } from './request-words'
import { UntilText } from './until-text'

const RequestPanel = ({ request }: { request: RequestDetail }) => (
  <Panel title="Request">
    <h3 className="mb-1.5 font-semibold text-lead wrap-anywhere">
      {request.projectName}: {formatCount(request.value)} {className(request.resourceName)},{' '}
      <UntilText until={request.until} />
    </h3>
    <p className="max-w-[90ch] whitespace-pre-wrap wrap-anywhere">{request.reason}</p>
    <p className="mt-2 text-ink2">
      {actorWords(request.madeBy)}, <Moment at={request.madeAt} />
    </p>
  </Panel>
)

const Standing = ({ effect }: { effect: NonNullable<RequestDetail['effect']> }) => (
  <Panel title="Current quota">
    <KeyValues>
      <KeyValue label="Limit">
        {effect.limit === null ? (
          <Unknown reason="Keystone’s limits have not been read" />
        ) : (
          <LimitFigure limit={effect.limit} hasOrigin />
        )}
      </KeyValue>
      <KeyValue label="Allocated">
        {effect.used === null ? <Unknown reason="not reported by Placement" /> : formatCount(effect.used)}
      </KeyValue>
      <KeyValue label="Open requests">
        {effect.openCount}
        {effect.openDemand === null || effect.openCount < 2
          ? null
          : `, ${formatCount(effect.openDemand)} more in total`}
      </KeyValue>
    </KeyValues>
  </Panel>
)

const ChangeLink = ({ change, cloud }: { change: { id: number; state: string }; cloud: string | null }) => (
  <>
    <Link href={changePath({ cloud, id: change.id })} className="text-accent-ink hover:underline">
      Change {change.id}
    </Link>{' '}
    <span className="text-ink2">{change.state}</span>
  </>
)

const Outcome = ({ request, cloud }: { request: RequestDetail; cloud: string | null }) => (
  <Panel title="Outcome">
    <KeyValues>
      <KeyValue label="Decided">
        {actorWords(request.decidedBy ?? '')}, <Moment at={request.decidedAt} />
      </KeyValue>
      {request.answer === null ? null : (
        <KeyValue label="Answer">
          <span className="whitespace-pre-wrap wrap-anywhere">{request.answer}</span>
        </KeyValue>
      )}
      {request.grantedValue === null ? null : (
        <KeyValue label="Granted">
          {formatCount(request.grantedValue)}, <UntilText until={request.grantedUntil} />; before{' '}
          {valueWords(request.beforeValue)}
        </KeyValue>
      )}
      {request.change === null ? null : (
        <KeyValue label="Applied by">
          <ChangeLink change={request.change} cloud={cloud} />
        </KeyValue>
      )}
      {request.revertedAt === null ? null : (
        <KeyValue label="Reverted">
          <Moment at={request.revertedAt} />
        </KeyValue>
      )}
      {request.backChange === null ? null : (
        <KeyValue label="Reverted by">
          <ChangeLink change={request.backChange} cloud={cloud} />
        </KeyValue>
      )}
      {request.endedAt === null ? null : (
        <KeyValue label="Ended">
          <Moment at={request.endedAt} />
        </KeyValue>
      )}
    </KeyValues>
    {request.endNote === null ? null : <p className="mt-2 text-warn">{request.endNote}</p>}
    {request.problem === null ? null : (
      <p className="mt-2 text-warn">
        The end date has passed, but the limit was not reverted: {request.problem}
      </p>
    )}
  </Panel>
)

const Detail = ({ request, cloud }: { request: RequestDetail; cloud: string | null }) => (
  <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_380px]">
    <div className="flex min-w-0 flex-col gap-3">
      <RequestPanel request={request} />
      {request.decidedBy === null ? null : <Outcome request={request} cloud={cloud} />}
      {request.effect === null ? null : (
        <>
          <Standing effect={request.effect} />
          <LimitMeaning change={request.effect.change} />
        </>
      )}
      {request.because === null ? null : (
        <Panel title="Effect">
          <p className="text-warn">Not available: {request.because}</p>
        </Panel>
      )}
    </div>
    {isUndecided(request.standing) ? <DecisionPanel key={request.version} request={request} /> : null}
  </div>
)

/** One quota request with its effect and its review. */
export const RequestPage = ({ id }: { id: number }) => {
  const { cloud } = useCloud()
  const query = useQuery(quotaRequestOptions({ id }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title={`Request ${id}`}
        sub={
          data === undefined ? undefined : (
            <Tag tone={STANDING_TAGS[data.standing].tone}>{STANDING_TAGS[data.standing].word}</Tag>
          )
        }
        actions={
          <Link href={quotaRequestsPath({ cloud })} className="text-accent-ink hover:underline">
            All requests
          </Link>
        }
      />
      {isPending && error === null ? (
        <div role="status" aria-label="Loading the request" className="flex flex-col gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-40" />
        </div>
      ) : null}
      <SubjectProblem
        query={query}
        subject="request"
        all={{ href: quotaRequestsPath({ cloud }), label: 'All requests' }}
        what="The request"
      />
      {data === undefined ? null : <Detail request={data} cloud={cloud} />}
    </>
  )
}
