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

type Wish = { to: PlanPassthrough['to']; alias: string; isFlavorLossAccepted: boolean }

const ALIAS_PATTERN = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,254})?$/

const WORDS: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole:
    'The card goes to one server as it is: its servers leave, its vGPUs are removed, vfio-pci gets it, and device_spec and an alias name it.',
  sliced:
    'The card goes back to NVIDIA’s driver and out of device_spec. Which vGPU type it then gets is a change of its own.',
}

/** What is wanted of the chosen cards. */
const PassthroughChoice = ({ wish, onWish }: { wish: Wish; onWish: (wish: Wish) => void }) => {
  const [alias, setAlias] = useState(wish.alias)
  const isBad = !ALIAS_PATTERN.test(alias)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBad) onWish({ ...wish, alias })
  }
  return (
    <Panel>
      <p className="mb-2 max-w-[80ch]">{WORDS[wish.to]}</p>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-6 gap-y-2">
        {wish.to === 'sliced' ? null : (
          <>
            <div className="w-full max-w-[300px]">
              <Field
                id="alias"
                label="Alias"
                help="What flavors ask by. Empty: one that takes the card already, else named after the model."
                error={
                  isBad
                    ? 'It has letters, digits, dots, dashes and underscores, and begins with the first two.'
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
            <Button type="submit" className="mt-[22px]" isUnavailable={isBad || alias === wish.alias}>
              Plan with it
            </Button>
          </>
        )}
        <label className="mt-[26px] flex items-baseline gap-2">
          <input
            type="checkbox"
            checked={wish.isFlavorLossAccepted}
            onChange={(event) => onWish({ ...wish, isFlavorLossAccepted: event.target.checked })}
          />
          Flavors may lose their last host
        </label>
      </form>
    </Panel>
  )
}

const TITLES: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Hand cards out whole',
  sliced: 'Take cards out of passthrough',
}

const NOTHING: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Every chosen card goes out whole already.',
  sliced: 'Every chosen card is under its driver already.',
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
        <NoneChosen cloud={cloud}>Select pGPUs in the list and press “Configure passthrough”.</NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <PassthroughChoice
            key={`${params.to} ${params.alias}`}
            wish={{ to: params.to, alias: params.alias, isFlavorLossAccepted: params.loss }}
            onWish={({ to, alias, isFlavorLossAccepted }) =>
              void setParams({ to, alias, loss: isFlavorLossAccepted })
            }
          />
          <CardPlan nothing={NOTHING[params.to]} input={passthroughInput(cloud, params)} />
        </div>
      )}
    </>
  )
}
