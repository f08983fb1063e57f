'use client'

import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toast-store'
import { createSavedViewOptions, updateSavedViewOptions } from '@/lib/api/saved-views'
import type { SavedView } from '@/lib/schemas/api/saved-view'

const fields = ['name'] as const

type Values = { name: string; isShared: boolean }

/** Saves the current list under a name, or changes a view. A name that the person already has replaces that view. */
export const ViewDialog = ({
  view,
  query,
  own,
  onClose,
}: {
  /** Null: a new one. */
  view: SavedView | null
  /** Of the current list. */
  query: string
  own: readonly SavedView[]
  onClose: () => void
}) => {
  const { cloud } = useCloud()
  const form = useForm<Values>({
    defaultValues: { name: view?.name ?? '', isShared: view?.isShared ?? false },
  })
  const create = useMutation(createSavedViewOptions())
  const update = useMutation(updateSavedViewOptions())
  const refusal = useRefusal('view.share')
  const name = useWatch({ control: form.control, name: 'name' }).trim()
  const replaced = view ?? own.find((one) => one.name === name) ?? null
  const { errors } = form.formState
  const submit = form.handleSubmit((values) => {
    const options = {
      onSuccess: ({ name: saved }: SavedView) => {
        toast.done(`The view “${saved}” was saved.`)
        onClose()
      },
      onError: (error: Error) => showServerError(form, fields, error),
    }
    // A disabled field has no value.
    const isShared = refusal === null ? values.isShared : (replaced?.isShared ?? false)
    if (replaced === null) create.mutate({ cloud, query, name, isShared }, options)
    else update.mutate({ id: replaced.id, query, name, isShared }, options)
  })
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title={view === null ? 'Save view' : `Edit “${view.name}”`}
        description="A view keeps the filters, grouping, sorting and columns of the list."
      >
        <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
          <Field
            id="view-name"
            label="Name"
            error={errors.name?.message}
            help={view === null && replaced !== null ? 'Replaces your view of this name.' : undefined}
          >
            <Input
              {...form.register('name')}
              {...described('view-name', errors.name?.message)}
              maxLength={40}
              autoComplete="off"
            />
          </Field>
          <label htmlFor="view-isShared" className="flex items-baseline gap-2">
            <input
              id="view-isShared"
              type="checkbox"
              {...form.register('isShared', { disabled: refusal !== null })}
            />
            Share with all admins and readers
          </label>
          {refusal === null ? null : <p className="text-ink2 text-small">{refusal}</p>}
          <FormFoot
            error={errors.root?.message}
            isPending={create.isPending || update.isPending}
            label={view === null && replaced !== null ? 'Replace' : 'Save'}
            pendingLabel="Saving"
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}
