'use client'

import { useQueryStates } from 'nuqs'
import { type FormEvent, useState } from 'react'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { CardPlan } from './card-plan'
import { chosenText, newPassthroughParams, passthroughInput } from './new-plan-params'
import { NoneChosen } from './none-chosen'
import { readGpus } from './read-gpus'

type PassthroughInput = { to: PlanPassthrough['to']; alias: string; isFlavorLossAccepted: boolean }

const ALIAS_PATTERN = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,254})?$/

const WORDS: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole:
    'One server gets the whole card. Servers on the card are migrated, its vGPUs are removed, and it is bound to vfio-pci. device_spec and an alias are configured.',
  sliced:
    'The card is bound to the NVIDIA driver and removed from device_spec. To configure a vGPU type, plan another change.',
}

/** What is wanted of the chosen cards. */
const PassthroughChoice = ({
  input,
  onChange,
}: {
  input: PassthroughInput
  onChange: (input: PassthroughInput) => void
}) => {
  const [alias, setAlias] = useState(input.alias)
  const isBad = !ALIAS_PATTERN.test(alias)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBad) onChange({ ...input, alias })
  }
  return (
    <Panel>
      <p className="mb-2 max-w-[80ch]">{WORDS[input.to]}</p>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-6 gap-y-2">
        {input.to === 'sliced' ? null : (
          <>
            <div className="w-full max-w-[300px]">
              <Field
                id="alias"
                label="Alias"
                help="Flavors use this name in pci_passthrough:alias. Leave blank to use an existing alias or the name of the model."
                error={
                  isBad
                    ? 'Use letters, digits, dots, dashes and underscores. Start with a letter or digit.'
                    : undefined
                }
              >
                <Input
                  id="alias"
                  aria-describedby="alias-note"
                  value={alias}
                  maxLength={255}
                  spellCheck={false}
                  className="font-mono"
                  onChange={(event) => setAlias(event.target.value)}
                  {...(isBad ? { 'aria-invalid': true } : {})}
                />
              </Field>
            </div>
            <Button type="submit" className="mt-[22px]" isUnavailable={isBad || alias === input.alias}>
              Apply alias
            </Button>
          </>
        )}
        <label className="mt-[26px] flex items-baseline gap-2">
          <input
            type="checkbox"
            checked={input.isFlavorLossAccepted}
            onChange={(event) => onChange({ ...input, isFlavorLossAccepted: event.target.checked })}
          />
          Allow flavors to lose their last host
        </label>
      </form>
    </Panel>
  )
}

const TITLES: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Configure PCI passthrough',
  sliced: 'Remove cards from PCI passthrough',
}

const NOTHING: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Every selected card is already configured for PCI passthrough.',
  sliced: 'Every selected card already uses the NVIDIA driver.',
}

/** Prepares a change between slices and the whole card. The address holds what was chosen, so it can be sent to a colleague. */
export const NewPassthroughPage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newPassthroughParams)
  const isNoneChosen = params.filter === '' && readGpus(params.gpus).length === 0
  return (
    <>
      <PageHeader title={TITLES[params.to]} sub={isNoneChosen ? undefined : chosenText(params)} />
      {isNoneChosen ? (
        <NoneChosen cloud={cloud}>Select pGPUs in the list, then “Configure passthrough”.</NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <PassthroughChoice
            key={`${params.to} ${params.alias}`}
            input={{ to: params.to, alias: params.alias, isFlavorLossAccepted: params.loss }}
            onChange={({ to, alias, isFlavorLossAccepted }) =>
              void setParams({ to, alias, loss: isFlavorLossAccepted })
            }
          />
          <CardPlan nothing={NOTHING[params.to]} input={passthroughInput(cloud, params)} />
        </div>
      )}
    </>
  )
}
