'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { fieldProps } from '@/components/form/field-props'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Field, Input, Select } from '@/components/ui/input'
import { createApiTokenOptions } from '@/lib/api/api-tokens'
import { type CreateApiToken, createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import type { CreatedApiToken } from '@/lib/schemas/api/api-tokens'

const lifetimes = [
  { days: 1, label: '1 day' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
]

const fields = ['label', 'access', 'lifetimeDays'] as const
type FieldName = (typeof fields)[number]

export const ApiTokenForm = ({ onCreated }: { onCreated: (token: CreatedApiToken) => void }) => {
  const form = useForm<CreateApiToken>({
    resolver: zodResolver(createApiTokenSchema),
    defaultValues: { label: '', access: 'read', lifetimeDays: 30 },
  })
  const create = useMutation(createApiTokenOptions())
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: onCreated,
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => fieldProps<CreateApiToken>('api-token', name, errors)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="api-token-label"
        label="Label"
        help="Shown in the list and in the audit."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} {...props('label')} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field id="api-token-access" label="May" help="Never more than you." error={errors.access?.message}>
          <Select {...form.register('access')} {...props('access')}>
            <option value="read">read</option>
            <option value="write">read and write</option>
          </Select>
        </Field>
        <Field
          id="api-token-lifetimeDays"
          label="Works for"
          help="Or until you revoke it."
          error={errors.lifetimeDays?.message}
        >
          <Select {...form.register('lifetimeDays', { valueAsNumber: true })} {...props('lifetimeDays')}>
            {lifetimes.map(({ days, label }) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending}
        label="Make the token"
        pendingLabel="Making the token"
      />
    </form>
  )
}
