'use client'

import { useForm } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'

const fields = ['name'] as const

/** The form for the name of a scenario: of a new one, a copy, or one that is renamed. */
export const NameDialog = ({
  title,
  label,
  name,
  onName,
  onClose,
}: {
  title: string
  /** Of the button. */
  label: string
  name: string
  /** Resolves when it is saved; what it rejects with is shown. */
  onName: (name: string) => Promise<unknown>
  onClose: () => void
}) => {
  const form = useForm<{ name: string }>({ defaultValues: { name } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      await onName(values.name)
      onClose()
    } catch (err) {
      showServerError(form, fields, err instanceof Error ? err : new Error(String(err)))
    }
  })
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent title={title} description={null}>
        <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
          <Field id="scenario-name" label="Name" error={errors.name?.message}>
            <Input
              maxLength={80}
              autoComplete="off"
              {...form.register('name')}
              {...described('scenario-name', errors.name?.message)}
            />
          </Field>
          <FormFoot
            error={errors.root?.message}
            isPending={isSubmitting}
            label={label}
            pendingLabel="Saving"
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}
