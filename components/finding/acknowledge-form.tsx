'use client'

import { type MutationOptions, useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { useServerNow } from '@/components/shell/use-server-now'
import { useTimeZone } from '@/components/shell/use-time-zone'
import { described, Field, Input, NoteArea } from '@/components/ui/input'
import type { AcknowledgeFinding } from '@/lib/schemas/api/finding-inputs'
import { formatDay } from '@/lib/util/format'

const DAY_MS = 86_400_000

const fields = ['note', 'days'] as const
type FieldName = (typeof fields)[number]

/** Why it may stay, and for how long: of one finding or of a kind. */
export const AcknowledgeForm = <Answer,>({
  note,
  noteHelp,
  mutation,
  label,
  pendingLabel,
  onDone,
}: {
  note: string
  noteHelp: string
  mutation: MutationOptions<Answer, Error, AcknowledgeFinding>
  label: string
  pendingLabel: string
  onDone: () => void
}) => {
  const form = useForm<AcknowledgeFinding>({
    defaultValues: { note, days: 7 },
  })
  const acknowledge = useMutation(mutation)
  const days = useWatch({ control: form.control, name: 'days' })
  const now = useServerNow()
  const zone = useTimeZone()
  const { errors } = form.formState
  const until =
    now === null || !Number.isInteger(days) || days < 1 || days > 365
      ? '1 to 365 days.'
      : `Open again from ${formatDay(new Date(now + days * DAY_MS), zone)}.`
  const submit = form.handleSubmit((values) =>
    acknowledge.mutate(values, {
      onSuccess: onDone,
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => described(`acknowledge-${name}`, errors[name]?.message)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field id="acknowledge-note" label="Reason" help={noteHelp} error={errors.note?.message}>
        <NoteArea maxLength={500} {...form.register('note')} {...props('note')} />
      </Field>
      <Field id="acknowledge-days" label="Days" help={until} error={errors.days?.message}>
        <Input
          type="number"
          min={1}
          max={365}
          inputMode="numeric"
          className="max-w-28"
          {...form.register('days', { valueAsNumber: true })}
          {...props('days')}
        />
      </Field>
      <FormFoot
        error={errors.root?.message}
        isPending={acknowledge.isPending}
        label={label}
        pendingLabel={pendingLabel}
      />
    </form>
  )
}
