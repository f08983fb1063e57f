'use client'

import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type UseFormRegisterReturn, useForm } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input, Select } from '@/components/ui/input'
import { toast } from '@/components/ui/toast-store'
import { createWebhookOptions, updateWebhookOptions } from '@/lib/api/webhooks'
import type { ShownSecret, WebhookDto } from '@/lib/schemas/api/webhook'
import type { UpdateWebhook } from '@/lib/schemas/api/webhook-inputs'
import { ShownSecretPanel } from './shown-secret'

const fields = ['name', 'address', 'form', 'findingSeverity'] as const
type FieldName = (typeof fields)[number]

const valuesOf = (webhook: WebhookDto | null): UpdateWebhook =>
  webhook === null
    ? {
        ...{ name: '', address: null, form: 'json', findingSeverity: 'warning' },
        ...{ wantsExhaustion: true, wantsChanges: true, wantsFreeFlavors: false, isEnabled: true },
      }
    : {
        ...{ name: webhook.name, address: null, form: webhook.form },
        findingSeverity: webhook.findingSeverity,
        wantsExhaustion: webhook.wantsExhaustion,
        wantsChanges: webhook.wantsChanges,
        wantsFreeFlavors: webhook.wantsFreeFlavors,
        isEnabled: webhook.isEnabled,
      }

const Check = ({ id, label, field }: { id: string; label: string; field: UseFormRegisterReturn }) => (
  <label htmlFor={id} className="flex items-baseline gap-2">
    <input id={id} type="checkbox" {...field} />
    {label}
  </label>
)

/** Address, format and events. `webhook` null: a new one, of `cloud`. */
const WebhookForm = ({
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
  const props = (name: FieldName) => described(`webhook-${name}`, errors[name]?.message)
  const addressHelp =
    webhook === null
      ? 'Must be https. It is stored encrypted and will not be shown again.'
      : `Leave blank to keep the current address at ${webhook.origin}.`
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="webhook-name"
        label="Name"
        help="Shown in the list and in the audit log."
        error={errors.name?.message}
      >
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
        <Field
          id="webhook-form"
          label="Format"
          help="The format that the receiver expects."
          error={errors.form?.message}
        >
          <Select {...form.register('form')} {...props('form')}>
            <option value="json">JSON</option>
            <option value="slack">Slack, Mattermost</option>
          </Select>
        </Field>
        <Field
          id="webhook-findingSeverity"
          label="Findings"
          help="Sent when findings open and are resolved."
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
        <legend className="mb-1 font-[550] text-small">Other events</legend>
        <Check
          id="webhook-wantsExhaustion"
          label="vGPU types that are exhausted or will be soon"
          field={form.register('wantsExhaustion')}
        />
        <Check
          id="webhook-wantsChanges"
          label="completed and stopped changes"
          field={form.register('wantsChanges')}
        />
        <Check
          id="webhook-wantsFreeFlavors"
          label="Flavors that are available again, with the names of the person and project that wait"
          field={form.register('wantsFreeFlavors')}
        />
      </fieldset>
      {webhook === null ? null : (
        <Check
          id="webhook-isEnabled"
          label="Enabled. Events are not sent while the webhook is disabled, and not sent later."
          field={form.register('isEnabled')}
        />
      )}
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending || update.isPending}
        label={webhook === null ? 'Add webhook' : 'Save webhook'}
        pendingLabel={webhook === null ? 'Adding the webhook' : 'Saving'}
      />
    </form>
  )
}

type Props = { cloud: string; webhook?: never } | { cloud: null; webhook: WebhookDto }

/** Adds a webhook and shows its secret once, or changes one. */
export const WebhookDialog = ({ cloud, webhook }: Props) => {
  const [isOpen, setIsOpen] = useState(false)
  const [shown, setShown] = useState<ShownSecret | null>(null)
  const open = (next: boolean) => {
    setIsOpen(next)
    if (next) setShown(null)
  }
  const changed = (name: string) => {
    setIsOpen(false)
    toast.done(`The webhook "${name}" is saved.`)
  }
  return (
    <Dialog open={isOpen} onOpenChange={open}>
      <DialogTrigger asChild>
        {webhook === undefined ? (
          <Button variant="main">
            <Plus size={14} aria-hidden />
            Add webhook
          </Button>
        ) : (
          <Button size="small" aria-label={`Edit webhook ${webhook.name}`}>
            Edit
          </Button>
        )}
      </DialogTrigger>
      <DialogContent
        width={shown === null ? 'normal' : 'wide'}
        title={
          shown !== null
            ? `The secret of "${shown.name}"`
            : webhook === undefined
              ? 'Add webhook'
              : `Edit "${webhook.name}"`
        }
        description={shown === null && webhook === undefined ? `Receives events of ${cloud}.` : null}
      >
        {shown === null ? (
          <WebhookForm cloud={cloud} webhook={webhook ?? null} onCreated={setShown} onChanged={changed} />
        ) : (
          <>
            <ShownSecretPanel shown={shown} />
            <div className="mt-3 flex justify-end">
              <DialogClose asChild>
                <Button>Done</Button>
              </DialogClose>
            </div>
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}
