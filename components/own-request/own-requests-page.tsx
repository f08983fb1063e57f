'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { type RegisterOptions, useForm, useWatch } from 'react-hook-form'
import { showServerError } from '@/components/form/show-server-error'
import { className, formatLimit } from '@/components/quota/quota-labels'
import { untilOfDay } from '@/components/quota-request/request-labels'
import { UntilText } from '@/components/quota-request/until-text'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageTitle } from '@/components/shell/page-title'
import { currentZone } from '@/components/shell/time-zone-store'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { described, Field, Input, NoteArea, Select } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { makeRequestOptions, ownRequestListOptions, withdrawRequestOptions } from '@/lib/api/own-requests'
import { isUndecided } from '@/lib/domain/quota-request/request-status'
import type { OwnRequest, OwnRequestList } from '@/lib/schemas/api/quota-request'
import { formatCount } from '@/lib/util/format'
import { OWN_TAGS } from './own-request-labels'

type Class = NonNullable<OwnRequestList['classes']>[number]
type Values = { resourceName: string; value: string; until: string; reason: string }

const currentText = (found: Class | undefined): string => {
  if (found === undefined) return ''
  const words = found.limit === null ? null : formatLimit(found.limit)
  return words === null ? 'The current limit has not been read yet.' : `Current limit: ${words}`
}

const classLabel = ({ resourceName, kind }: Class): string =>
  `${className(resourceName)}${kind === 'passthrough' ? ' (passthrough, whole GPUs)' : ''}`

const WHOLE = 'Enter a whole number of at least 1.'
const FIELDS = ['resourceName', 'value', 'until', 'reason'] as const

/** Requests a higher limit from the admins of the cloud. */
const OwnRequestForm = ({ classes, first }: { classes: readonly Class[]; first: string | null }) => {
  const given = classes.find((each) => each.resourceName === first) ?? classes[0]
  const form = useForm<Values>({
    defaultValues: { resourceName: given?.resourceName ?? '', value: '', until: '', reason: '' },
  })
  const resourceName = useWatch({ control: form.control, name: 'resourceName' })
  const { errors } = form.formState
  const make = useMutation(makeRequestOptions())
  const submit = form.handleSubmit(({ value, until, ...values }) => {
    if (make.isPending) return
    make.mutate(
      { ...values, value: Number(value), until: untilOfDay(until, currentZone()) },
      {
        onSuccess: ({ number }) => {
          toast.done(`Request ${number} is sent.`)
          form.reset({ resourceName: values.resourceName, value: '', until: '', reason: '' })
        },
        onError: (err) => showServerError(form, FIELDS, err),
      },
    )
  })
  const control = (name: keyof Values, rules?: RegisterOptions<Values, typeof name>) => ({
    ...form.register(name, rules),
    ...described(`ask-${name}`, errors[name]?.message),
  })
  return (
    <Panel title="Request quota">
      <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)} noValidate>
        <Field
          id="ask-resourceName"
          label="Kind of GPU"
          help={currentText(classes.find((each) => each.resourceName === resourceName))}
          error={errors.resourceName?.message}
        >
          <Select {...control('resourceName')}>
            {classes.map((each) => (
              <option key={each.resourceName} value={each.resourceName}>
                {classLabel(each)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field id="ask-value" label="New limit" help="Total for the project." error={errors.value?.message}>
            <Input
              {...control('value', {
                pattern: { value: /^\s*[1-9]\d{0,9}\s*$/, message: WHOLE },
                required: WHOLE,
              })}
              inputMode="numeric"
              maxLength={10}
              autoComplete="off"
            />
          </Field>
          <Field
            id="ask-until"
            label="Until"
            help="Leave blank for a permanent limit."
            error={errors.until?.message}
          >
            <Input {...control('until')} type="date" />
          </Field>
        </div>
        <Field id="ask-reason" label="Use case" error={errors.reason?.message} help="Shown to admins.">
          <NoteArea
            maxLength={1000}
            {...control('reason', {
              validate: (text) => text.trim() !== '' || 'Enter the use case. Admins review it.',
            })}
          />
        </Field>
        {errors.root === undefined ? null : (
          <p role="alert" className="text-bad">
            {errors.root.message}
          </p>
        )}
        <div>
          <Button type="submit" variant="main" isUnavailable={make.isPending}>
            {make.isPending ? 'Sending' : 'Send request'}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

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
  const { word, tone } = OWN_TAGS[request.status]
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
            {request.status === 'withdrawn' ? 'Withdrawn' : 'Decided'} <Moment at={request.decidedAt} />
          </span>
        )}
        {isUndecided(request.status) ? <Withdraw number={request.number} /> : null}
      </div>
    </li>
  )
}

/** The project's requests, the newest first. */
const OwnRequestItems = ({ requests }: { requests: readonly OwnRequest[] }) => (
  <ul aria-label="Requests of the project" className="flex min-w-0 flex-col gap-2.5">
    {requests.map((request) => (
      <Item key={request.number} request={request} />
    ))}
  </ul>
)

const RequestForm = ({ classes }: Pick<OwnRequestList, 'classes'>) => {
  /** Set by the link of a flavor that the limit excludes. */
  const [first] = useQueryState('class', parseAsString)
  if (classes === null || classes.length === 0)
    return (
      <Panel title="Request quota">
        <p className="text-ink2">
          {classes === null
            ? 'The resource classes have not been read yet. This page refreshes automatically.'
            : 'No flavor of your project requests a GPU, so no limit applies. Ask an admin of the cloud for a flavor.'}
        </p>
      </Panel>
    )
  return <OwnRequestForm classes={classes} first={first} />
}

/** The quota requests of the project, and the form for a new one. */
export const OwnRequestsPage = () => {
  const query = useQuery(ownRequestListOptions())
  const { data, error, isPending } = query
  return (
    <>
      <PageTitle title="Quota requests" {...(data === undefined ? {} : { sub: `of ${data.projectName}` })} />
      <LoadProblem query={query} what="The requests" />
      {isPending && error === null ? <SkeletonRows rows={4} label="Loading the requests" /> : null}
      {data === undefined ? null : (
        <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_360px]">
          <div className="min-w-0 max-lg:order-last">
            {data.requests.length === 0 ? (
              <EmptyState title="No requests yet">
                If a GPU limit of your project is too low, request a higher one, permanently or until a date.
                The answer is shown here.
              </EmptyState>
            ) : (
              <OwnRequestItems requests={data.requests} />
            )}
          </div>
          <RequestForm classes={data.classes} />
        </div>
      )}
    </>
  )
}
