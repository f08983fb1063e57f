'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'

type Wish = { to: PlanPassthrough['to']; alias: string; isFlavorLossAccepted: boolean }

const ALIAS_PATTERN = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,254})?$/

const WORDS: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole:
    'The card goes to one server as it is: its servers leave, its vGPUs are removed, vfio-pci gets it, and device_spec and an alias name it.',
  sliced:
    'The card goes back to NVIDIA’s driver and out of device_spec. Which vGPU type it then gets is a change of its own.',
}

/** What is wanted of the chosen cards. */
export const PassthroughChoice = ({ wish, onWish }: { wish: Wish; onWish: (wish: Wish) => void }) => {
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
