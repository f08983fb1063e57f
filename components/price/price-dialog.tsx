'use client'

import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { described, Field, Input, Select } from '@/components/ui/input'
import { toast } from '@/components/ui/toast-store'
import { addPriceOptions } from '@/lib/api/prices'
import type { PriceListDto, PriceVersionDto } from '@/lib/schemas/api/price'
import type { AddPrice } from '@/lib/schemas/api/price-inputs'
import { CURRENCIES } from '@/lib/schemas/currencies'

const fields = ['model', 'typeName', 'amount', 'currency', 'validFrom'] as const
type FieldName = (typeof fields)[number]

const blankAsNull = { setValueAs: (text: string | null) => text?.trim() || null }

const Cards = ({ cards }: Pick<PriceListDto, 'cards'>) => {
  const groups = [
    { label: 'In the fleet', own: cards.filter(({ isInFleet }) => isInFleet) },
    { label: 'Other cards', own: cards.filter(({ isInFleet }) => !isInFleet) },
  ]
  return groups
    .filter(({ own }) => own.length > 0)
    .map(({ label, own }) => (
      <optgroup key={label} label={label}>
        {own.map(({ model }) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </optgroup>
    ))
}

const PriceForm = ({
  list,
  version,
  onDone,
}: {
  list: PriceListDto
  version: PriceVersionDto | null
  onDone: (values: AddPrice) => void
}) => {
  const { cloud, cards, versions, today } = list
  const form = useForm<AddPrice>({
    defaultValues: {
      cloud,
      model: version?.model ?? '',
      typeName: version?.typeName ?? null,
      amount: version?.amount ?? null,
      currency: version?.currency ?? versions[0]?.currency ?? 'EUR',
      validFrom: today,
    },
  })
  const add = useMutation(addPriceOptions())
  const model = useWatch({ control: form.control, name: 'model' })
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    add.mutate(values, {
      onSuccess: () => onDone(values),
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => described(`price-${name}`, errors[name]?.message)
  const types = cards.find((card) => card.model === model)?.types ?? []
  const typeOfVersion = version?.typeName ?? null
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field id="price-model" label="Card" error={errors.model?.message}>
          <Select {...form.register('model')} {...props('model')}>
            <option value="">Choose a card</option>
            <Cards cards={cards} />
          </Select>
        </Field>
        <Field id="price-typeName" label="vGPU type" error={errors.typeName?.message}>
          <Select {...form.register('typeName', blankAsNull)} {...props('typeName')}>
            <option value="">Whole card</option>
            {typeOfVersion === null || types.includes(typeOfVersion) ? null : (
              <option value={typeOfVersion}>{typeOfVersion}</option>
            )}
            {types.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          id="price-amount"
          label="Price per hour"
          help="Leave blank to end the price."
          error={errors.amount?.message}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.45"
            {...form.register('amount', blankAsNull)}
            {...props('amount')}
          />
        </Field>
        <Field id="price-currency" label="Currency" error={errors.currency?.message}>
          <Select {...form.register('currency')} {...props('currency')}>
            {CURRENCIES.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </Select>
        </Field>
        <Field
          id="price-validFrom"
          label="Valid from"
          help="The price applies from 00:00 UTC."
          error={errors.validFrom?.message}
        >
          <Input type="date" min={today} {...form.register('validFrom')} {...props('validFrom')} />
        </Field>
      </div>
      <FormFoot
        error={errors.root?.message}
        isPending={add.isPending}
        label="Add price"
        pendingLabel="Adding the price"
      />
    </form>
  )
}

/** Adds a version of a price. */
export const PriceDialog = ({
  list,
  version,
  onClose,
}: {
  list: PriceListDto
  version: PriceVersionDto | null
  onClose: () => void
}) => {
  const done = ({ model, typeName, amount }: AddPrice) => {
    toast.done(`The price of ${typeName ?? model} ${amount === null ? 'ends' : 'is added'}.`)
    onClose()
  }
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title={version === null ? 'Add price' : `Change price of ${version.typeName ?? version.model}`}
        description="Earlier prices stay in the list. A vGPU type without a price costs an equal share of its card."
      >
        <PriceForm list={list} version={version} onDone={done} />
      </DialogContent>
    </Dialog>
  )
}
