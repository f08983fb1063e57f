'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { DialogClose } from '@/components/ui/dialog'
import { Field, Input, Select } from '@/components/ui/input'
import { createApiTokenOptions } from '@/lib/api/api-tokens'
import { type CreateApiToken, type CreatedApiToken, createApiTokenSchema } from '@/lib/schemas/api/api-tokens'

const lifetimes = [
  { days: 1, label: '1 day' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
]

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
      onError: (err) => form.setError('root', { message: err.message }),
    }),
  )
  const described = (name: 'label' | 'access' | 'lifetimeDays') => ({
    id: `api-token-${name}`,
    'aria-describedby': `api-token-${name}-note`,
    ...(errors[name] === undefined ? {} : { 'aria-invalid': true }),
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="api-token-label"
        label="What for"
        help="Shown in the list and in the audit."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} {...described('label')} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field id="api-token-access" label="May" help="Never more than you." error={errors.access?.message}>
          <Select {...form.register('access')} {...described('access')}>
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
          <Select {...form.register('lifetimeDays', { valueAsNumber: true })} {...described('lifetimeDays')}>
            {lifetimes.map(({ days, label }) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {errors.root?.message === undefined ? null : (
        <p role="alert" className="text-bad">
          {errors.root.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="main" isUnavailable={create.isPending}>
          {create.isPending ? 'Making the token' : 'Make the token'}
        </Button>
      </div>
    </form>
  )
}
