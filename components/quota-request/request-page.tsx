'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type RegisterOptions, useForm } from 'react-hook-form'
import { showServerError } from '@/components/form/show-server-error'
import { LimitFigure } from '@/components/quota/limit-figure'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { className } from '@/components/quota/quota-labels'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { currentZone } from '@/components/shell/time-zone-store'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { described, Field, Input, NoteArea } from '@/components/ui/input'
import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { decideRequestOptions, quotaRequestOptions } from '@/lib/api/quota-requests'
import { isUndecided } from '@/lib/domain/quota-request/request-status'
import { actorLabel } from '@/lib/domain/wording'
import type { RequestDetail } from '@/lib/schemas/api/quota-request'
import type { DecideRequest } from '@/lib/schemas/api/quota-request-inputs'
import { formatCount } from '@/lib/util/format'
import { changePath, quotaRequestsPath } from '@/lib/util/paths'
import { dayOfUntil, formatValue, REQUEST_STATE_TAGS, untilOfDay } from './request-labels'
import { UntilText } from './until-text'

type Values = { value: string; until: string; answer: string }

const NUMBER_NEEDED = 'Enter a whole number of at least 1.'
const FIELDS = ['value', 'until', 'answer'] as const

/** Approves a request, with its own or other values, or declines it with a text. */
const DecisionPanel = ({ request }: { request: RequestDetail }) => {
  const form = useForm<Values>({
    defaultValues: {
      value: String(request.value),
      until: dayOfUntil(request.until, currentZone()),
      answer: '',
    },
  })
  const { errors } = form.formState
  const decide = useMutation(decideRequestOptions({ id: request.id }))
  const refusal = useRefusal('quota-request.decide')
  const send = (body: DecideRequest, words: string) =>
    decide.mutate(body, {
      onSuccess: () => toast.done(words),
      onError: (err) => showServerError(form, FIELDS, err),
    })
  const approve = form.handleSubmit(({ value, until, answer }) =>
    send(
      {
        decision: 'approve',
        version: request.version,
        value: Number(value),
        // An unchanged day keeps its time.
        until:
          until === dayOfUntil(request.until, currentZone())
            ? request.until
            : untilOfDay(until, currentZone()),
        answer,
      },
      `Request ${request.id} is approved.`,
    ),
  )
  const decline = () => {
    form.clearErrors()
    const { answer } = form.getValues()
    if (answer.trim() === '')
      return form.setError(
        'answer',
        { message: 'Enter the reason. The project sees it.' },
        { shouldFocus: true },
      )
    send({ decision: 'decline', version: request.version, answer }, `Request ${request.id} is declined.`)
  }
  const isBusy = decide.isPending || refusal !== null
  const control = (name: keyof Values, rules?: RegisterOptions<Values, typeof name>) => ({
    ...form.register(name, rules),
    ...described(`decide-${name}`, errors[name]?.message),
  })
  return (
    <Panel title="Review">
      <form className="flex flex-col gap-3" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="grid grid-cols-2 gap-3">
          <Field
            id="decide-value"
            label="New limit"
            help="Total for the project."
            error={errors.value?.message}
          >
            <Input
              {...control('value', {
                pattern: { value: /^\s*[1-9]\d{0,9}\s*$/, message: NUMBER_NEEDED },
                required: NUMBER_NEEDED,
              })}
              inputMode="numeric"
              maxLength={10}
            />
          </Field>
          <Field
            id="decide-until"
            label="Until"
            help="Leave blank for a permanent limit."
            error={errors.until?.message}
          >
            <Input {...control('until')} type="date" />
          </Field>
        </div>
        <Field
          id="decide-answer"
          label="Answer to the project"
          help="Required to decline."
          error={errors.answer?.message}
        >
          <NoteArea maxLength={1000} {...control('answer')} />
        </Field>
        {errors.root?.message === undefined ? null : (
          <p role="alert" className="text-bad">
            <TimedText text={errors.root.message} isWhole />
          </p>
        )}
        {refusal === null ? null : <p className="text-ink2">{refusal}</p>}
        <div className="flex flex-wrap gap-2">
          <Button variant="main" isUnavailable={isBusy} onClick={() => void approve()}>
            Approve
          </Button>
          <Button isUnavailable={isBusy} onClick={decline}>
            Decline
          </Button>
        </div>
        <p className="text-ink2">
          Approving starts a change that sets the limit with your sign-in. You can roll it back. On the end
          date the console reverts the limit, unless it was changed in the meantime.
        </p>
      </form>
    </Panel>
  )
}

const RequestPanel = ({ request }: { request: RequestDetail }) => (
  <Panel title="Request">
    <h3 className="mb-1.5 font-semibold text-lead wrap-anywhere">
      {request.projectName}: {formatCount(request.value)} {className(request.resourceName)},{' '}
      <UntilText until={request.until} />
    </h3>
    <p className="max-w-[90ch] whitespace-pre-wrap wrap-anywhere">{request.reason}</p>
    <p className="mt-2 text-ink2">
      {actorLabel(request.madeBy)}, <Moment at={request.madeAt} />
    </p>
  </Panel>
)

const GrantStatus = ({ effect }: { effect: NonNullable<RequestDetail['effect']> }) => (
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
        {actorLabel(request.decidedBy ?? '')}, <Moment at={request.decidedAt} />
      </KeyValue>
      {request.answer === null ? null : (
        <KeyValue label="Answer">
          <span className="whitespace-pre-wrap wrap-anywhere">{request.answer}</span>
        </KeyValue>
      )}
      {request.grantedValue === null ? null : (
        <KeyValue label="Granted">
          {formatCount(request.grantedValue)}, <UntilText until={request.grantedUntil} />; before{' '}
          {formatValue(request.beforeValue)}
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
          <GrantStatus effect={request.effect} />
          <LimitMeaning change={request.effect.change} />
        </>
      )}
      {request.because === null ? null : (
        <Panel title="Effect">
          <p className="text-warn">Not available: {request.because}</p>
        </Panel>
      )}
    </div>
    {isUndecided(request.status) ? <DecisionPanel key={request.version} request={request} /> : null}
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
            <Tag tone={REQUEST_STATE_TAGS[data.status].tone}>{REQUEST_STATE_TAGS[data.status].word}</Tag>
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
