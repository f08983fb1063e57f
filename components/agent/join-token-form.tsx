'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { fieldProps } from '@/components/form/field-props'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Field, Input, Select } from '@/components/ui/input'
import { createJoinTokenOptions } from '@/lib/api/agents'
import { type CreateJoinToken, createJoinTokenSchema } from '@/lib/schemas/api/agent-inputs'
import type { CreatedJoinToken } from '@/lib/schemas/api/agents'

const lifetimes = [
  { minutes: 30, label: '30 minutes' },
  { minutes: 120, label: '2 hours' },
  { minutes: 1440, label: '1 day' },
  { minutes: 10_080, label: '7 days' },
]

const fields = ['label', 'lifetimeMinutes', 'maxUses', 'hostName'] as const
type FieldName = (typeof fields)[number]

/** What the new hosts are, how long and how often the token works, and whether it is bound to one host. */
export const JoinTokenForm = ({
  cloud,
  onCreated,
}: {
  cloud: string
  onCreated: (token: CreatedJoinToken) => void
}) => {
  const form = useForm<CreateJoinToken>({
    resolver: zodResolver(createJoinTokenSchema),
    defaultValues: { cloud, label: 'GPU hosts', lifetimeMinutes: 120, maxUses: 10, hostName: null },
  })
  const create = useMutation(createJoinTokenOptions())
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: onCreated,
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => fieldProps<CreateJoinToken>('join', name, errors)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="join-label"
        label="Label"
        help="Shown in the list and in the audit log."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} {...props('label')} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field
          id="join-lifetimeMinutes"
          label="Valid for"
          help="Enrolled hosts stay enrolled."
          error={errors.lifetimeMinutes?.message}
        >
          <Select
            {...form.register('lifetimeMinutes', { valueAsNumber: true })}
            {...props('lifetimeMinutes')}
          >
            {lifetimes.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="join-maxUses" label="Maximum hosts" help="1 to 10,000." error={errors.maxUses?.message}>
          <Input
            type="number"
            min={1}
            max={10_000}
            inputMode="numeric"
            {...form.register('maxUses', { valueAsNumber: true })}
            {...props('maxUses')}
          />
        </Field>
      </div>
      <Field
        id="join-hostName"
        label="Only this host (optional)"
        help="Leave blank for any new host. Enter the name that nova-compute uses to replace the credential of that host."
        error={errors.hostName?.message}
      >
        <Input
          {...form.register('hostName', { setValueAs: (text: string | null) => text?.trim() || null })}
          {...props('hostName')}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-small"
        />
      </Field>
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending}
        label="Create join token"
        pendingLabel="Creating the token"
      />
    </form>
  )
}
