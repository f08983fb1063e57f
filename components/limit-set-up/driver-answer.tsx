'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { QueryProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { quotaDriverOptions, setDriverOptions, withdrawDriverOptions } from '@/lib/api/quotas'
import { actorLabel } from '@/lib/domain/wording'
import type { DriverAnswer as Answer, QuotaDriverStatus } from '@/lib/schemas/api/quota-driver'

const CHOICES = [
  { driver: 'unified', label: 'unified limits', what: 'driver = nova.quota.UnifiedLimitsDriver' },
  { driver: 'legacy', label: 'Nova’s own quotas', what: 'any other driver, or none' },
] as const

type Driver = Answer['driver']

/** Why the chosen driver can't be noted now; null: it can. */
const whyNot = (chosen: Driver | null, answer: Answer | null): string | null => {
  if (chosen === null) return 'Select one of the two first.'
  return chosen === answer?.driver ? 'This answer is already saved.' : null
}

const AnswerForm = ({ answer }: { answer: Answer | null }) => {
  const { cloud } = useCloud()
  const [chosen, setChosen] = useState<Driver | null>(answer?.driver ?? null)
  const save = useMutation(setDriverOptions({ cloud }))
  const refusal = useRefusal('quota-driver.set') ?? whyNot(chosen, answer)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === null || refusal !== null || save.isPending) return
    save.mutate({ driver: chosen }, { onSuccess: () => toast.done('The answer is saved.') })
  }
  const label = answer === null ? 'Save answer' : 'Change answer'
  return (
    <form onSubmit={submit} className="mt-1.5 flex flex-wrap items-end gap-x-4 gap-y-2">
      <fieldset className="m-0 flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1 border-0 p-0">
        <legend className="mb-0.5 font-[550] text-small">Quota driver of nova-api and nova-conductor</legend>
        {CHOICES.map(({ driver, label: text, what }) => (
          <label key={driver} className="flex items-baseline gap-2">
            <input
              type="radio"
              name="quota-driver"
              checked={chosen === driver}
              onChange={() => setChosen(driver)}
            />
            <span>
              {text} <span className="text-ink3 text-small">{what}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {refusal === null ? (
        <Button type="submit" isUnavailable={save.isPending}>
          {label}
        </Button>
      ) : (
        <Tooltip content={refusal}>
          <Button isUnavailable>{label}</Button>
        </Tooltip>
      )}
      {save.error === null ? null : (
        <p role="alert" className="text-bad">
          {save.error.message}
        </p>
      )}
    </form>
  )
}

const Answered = ({ answer }: { answer: Answer }) => {
  const { cloud } = useCloud()
  const withdraw = useMutation(withdrawDriverOptions({ cloud }))
  const refusal = useRefusal('quota-driver.set')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-ink2 text-small">
        Answered by {actorLabel(answer.by)}, <Moment at={answer.at} />
      </p>
      <ConfirmButton
        label="Withdraw"
        accessibleLabel="Withdraw the answer on the quota driver"
        title="Withdraw the answer?"
        confirmLabel="Withdraw answer"
        onConfirm={async () => {
          await withdraw.mutateAsync()
          toast.done('The answer is withdrawn.')
        }}
        refusal={refusal}
      >
        Quotas, findings and the tenant catalog then use nova.conf of other hosts and Keystone’s limits,
        unless an agent on a nova-api host reports the driver.
      </ConfirmButton>
    </div>
  )
}

const DriverStatus = ({ status: { source, answer } }: { status: QuotaDriverStatus }) => (
  <>
    {answer === null ? null : <Answered answer={answer} />}
    {source === 'agents' ? (
      <p className="text-ink2 text-small">
        Agents on nova-api hosts report the driver, so the answer is not used.
      </p>
    ) : (
      <AnswerForm key={answer?.at} answer={answer} />
    )}
  </>
)

/**
 * The admin's answer about the quota driver, if no agent reads nova.conf of Nova's API: its author, and the form to
 * change it.
 */
export const DriverAnswer = () => {
  const { cloud } = useCloud()
  const query = useQuery(quotaDriverOptions({ cloud }))
  const { data } = query
  if (data?.source === 'agents' && data.answer === null) return null
  return (
    <section aria-label="Quota driver" className="mt-1.5">
      <QueryProblem
        query={query}
        title="The answer on the quota driver could not be loaded"
        titleOfOld="The answer on the quota driver could not be refreshed"
      />
      {data === undefined ? null : <DriverStatus status={data} />}
    </section>
  )
}
