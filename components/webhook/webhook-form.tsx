'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { type UseFormRegisterReturn, useForm } from 'react-hook-form'
import { fieldProps } from '@/components/form/field-props'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Field, Input, Select } from '@/components/ui/input'
import { createWebhookOptions, updateWebhookOptions } from '@/lib/api/webhooks'
import type { ShownSecret, WebhookDto } from '@/lib/schemas/api/webhook'
import { type UpdateWebhook, updateWebhookSchema } from '@/lib/schemas/api/webhook-inputs'

const fields = ['name', 'address', 'form', 'findingSeverity'] as const
type FieldName = (typeof fields)[number]

const valuesOf = (webhook: WebhookDto | null): UpdateWebhook =>
  webhook === null
    ? {
        ...{ name: '', address: null, form: 'json', findingSeverity: 'warning' },
        ...{ wantsExhaustion: true, wantsChanges: true, isEnabled: true },
      }
    : {
        ...{ name: webhook.name, address: null, form: webhook.form },
        findingSeverity: webhook.findingSeverity,
        wantsExhaustion: webhook.wantsExhaustion,
        wantsChanges: webhook.wantsChanges,
        isEnabled: webhook.isEnabled,
      }

const Check = ({ id, label, field }: { id: string; label: string; field: UseFormRegisterReturn }) => (
  <label htmlFor={id} className="flex items-baseline gap-2">
    <input id={id} type="checkbox" {...field} />
    {label}
  </label>
)

/** Address, format and events. `webhook` null: a new one, of `cloud`. */
export const WebhookForm = ({
  cloud,
  webhook,
  onCreated,
  onChanged,
}: {
  cloud: string | null
  webhook: WebhookDto | null
  onCreated: (secret: ShownSecret) => void
  onChanged: (name: string) => void
}) => {
  const form = useForm<UpdateWebhook>({
    resolver: zodResolver(updateWebhookSchema),
    defaultValues: valuesOf(webhook),
  })
  const create = useMutation(createWebhookOptions())
  const update = useMutation(updateWebhookOptions())
  const { errors } = form.formState
  const onError = (err: Error) => showServerError(form, fields, err)
  const submit = form.handleSubmit(({ isEnabled, address, ...values }) =>
    webhook === null
      ? create.mutate(
          { cloud: cloud ?? '', ...values, address: address ?? '' },
          { onSuccess: onCreated, onError },
        )
      : update.mutate(
          { id: webhook.id, ...values, address, isEnabled },
          { onSuccess: () => onChanged(values.name), onError },
        ),
  )
  const props = (name: FieldName) => fieldProps<UpdateWebhook>('webhook', name, errors)
  const addressHelp =
    webhook === null
      ? 'https. It is kept sealed and shown to nobody afterwards.'
      : `Empty: it stays as it is, at ${webhook.origin}.`
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field id="webhook-name" label="Name" help="Whom it tells." error={errors.name?.message}>
        <Input {...form.register('name')} {...props('name')} autoComplete="off" />
      </Field>
      <Field id="webhook-address" label="Address" help={addressHelp} error={errors.address?.message}>
        <Input
          {...form.register('address', { setValueAs: (text: string | null) => text?.trim() || null })}
          {...props('address')}
          type="url"
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-small"
        />
      </Field>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field id="webhook-form" label="Form" help="What the receiver reads." error={errors.form?.message}>
          <Select {...form.register('form')} {...props('form')}>
            <option value="json">JSON</option>
            <option value="slack">Slack, Mattermost</option>
          </Select>
        </Field>
        <Field
          id="webhook-findingSeverity"
          label="Findings"
          help="As they open and close."
          error={errors.findingSeverity?.message}
        >
          <Select
            {...form.register('findingSeverity', { setValueAs: (text: string | null) => text || null })}
            {...props('findingSeverity')}
          >
            <option value="error">errors</option>
            <option value="warning">errors and warnings</option>
            <option value="info">all</option>
            <option value="">none</option>
          </Select>
        </Field>
      </div>
      <fieldset className="m-0 flex min-w-0 flex-col gap-1 border-0 p-0">
        <legend className="mb-1 font-[550] text-small">And</legend>
        <Check
          id="webhook-wantsExhaustion"
          label="vGPU types of which none is free, or soon likely none"
          field={form.register('wantsExhaustion')}
        />
        <Check
          id="webhook-wantsChanges"
          label="changes that end or stop"
          field={form.register('wantsChanges')}
        />
      </fieldset>
      {webhook === null ? null : (
        <Check
          id="webhook-isEnabled"
          label="Switched on: events while it is off are not told later"
          field={form.register('isEnabled')}
        />
      )}
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending || update.isPending}
        label={webhook === null ? 'Add the webhook' : 'Save'}
        pendingLabel={webhook === null ? 'Adding the webhook' : 'Saving'}
      />
    </form>
  )
}
