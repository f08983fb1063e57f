'use client'

import { type FormEvent, useId, useState } from 'react'
import { PickList } from '@/components/form/pick-list'
import { described, Field, Input, Textarea } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import { AggregateChoice } from './aggregate-choice'
import { changeProblems, type FlavorChangeInput } from './flavor-input'
import { PlanBar } from './plan-bar'

type Problems = ReturnType<typeof changeProblems>
type Change = (part: Partial<FlavorChangeInput>) => void
type PartProps = { input: FlavorChangeInput; problems: Problems; onChange: Change }

const TraitField = ({ traits, input, problems, onChange }: PartProps & Pick<FlavorOffers, 'traits'>) => {
  const list = useId()
  return (
    <div className="w-full max-w-[420px]">
      <Field
        id="required-trait"
        label="Trait to require"
        help="Written as trait…=required with the suffix of each GPU request. Leave blank to require none."
        error={problems.trait}
      >
        <Input
          {...described('required-trait', problems.trait)}
          list={list}
          value={input.trait}
          maxLength={255}
          spellCheck={false}
          className="font-mono"
          onChange={(event) => onChange({ trait: event.target.value })}
        />
      </Field>
      <datalist id={list}>
        {traits.map((trait) => (
          <option key={trait} value={trait} />
        ))}
      </datalist>
    </div>
  )
}

const Specs = ({ input, problems, onChange }: PartProps) => (
  <div className="grid grid-cols-1 gap-x-6 gap-y-2 md:grid-cols-2">
    <Field
      id="set-specs"
      label="Extra specs to set"
      help="Enter one key=value per line."
      error={problems.set}
    >
      <Textarea
        {...described('set-specs', problems.set)}
        rows={3}
        value={input.set}
        maxLength={4000}
        onChange={(event) => onChange({ set: event.target.value })}
      />
    </Field>
    <Field
      id="unset-specs"
      label="Extra specs to remove"
      help="Enter one key per line."
      error={problems.unset}
    >
      <Textarea
        {...described('unset-specs', problems.unset)}
        rows={3}
        value={input.unset}
        maxLength={4000}
        onChange={(event) => onChange({ unset: event.target.value })}
      />
    </Field>
  </div>
)

const Access = ({ offers, input, onChange }: Omit<PartProps, 'problems'> & { offers: FlavorOffers }) => {
  const items = (offers.projects ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const empty = 'Keystone’s projects have not been read.'
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-2 md:grid-cols-2">
      <PickList
        legend="Projects to grant access"
        items={items.filter(({ value }) => !input.revoke.includes(value))}
        chosen={input.grant}
        onChoose={(grant) => onChange({ grant })}
        empty={empty}
      />
      <PickList
        legend="Projects to revoke access"
        items={items.filter(({ value }) => !input.grant.includes(value))}
        chosen={input.revoke}
        onChoose={(revoke) => onChange({ revoke })}
        empty={empty}
      />
    </div>
  )
}

const Description = ({ input: { description }, onChange }: Pick<PartProps, 'input' | 'onChange'>) => (
  <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
    <label className="flex items-baseline gap-2">
      <input
        type="checkbox"
        checked={description !== null}
        onChange={(event) => onChange({ description: event.target.checked ? '' : null })}
      />
      Change the description
    </label>
    {description === null ? null : (
      <div className="w-full max-w-[420px]">
        <Input
          aria-label="Description"
          value={description}
          maxLength={1000}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </div>
    )}
  </div>
)

/** The changes of existing flavors. */
export const ChangeFlavorsForm = ({
  offers,
  flavorIds,
  input: first,
  onPlan,
}: {
  offers: FlavorOffers
  flavorIds: readonly string[]
  input: FlavorChangeInput
  onPlan: (flavorIds: string[], input: FlavorChangeInput) => void
}) => {
  const [input, setInput] = useState(first)
  const [chosen, setChosen] = useState([...flavorIds])
  const problems = changeProblems(input)
  const isBad = Object.keys(problems).length > 0 || chosen.length === 0
  const onChange: Change = (part) => setInput({ ...input, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBad) onPlan(chosen, input)
  }
  const part = { input, problems, onChange }
  const flavors = offers.flavors ?? []
  const isPrivateChosen = flavors.some(({ id, isPublic }) => !isPublic && chosen.includes(id))
  return (
    <form onSubmit={submit} noValidate>
      <Panel>
        <div className="flex flex-col gap-3.5">
          <PickList
            legend="Flavors"
            items={flavors.map(({ id, name, isPublic }) => ({
              value: id,
              label: name,
              note: isPublic ? undefined : 'selected projects',
            }))}
            chosen={chosen}
            onChoose={setChosen}
            empty="No flavor requests a GPU."
          />
          <TraitField traits={offers.traits} {...part} />
          <Specs {...part} />
          <Description {...part} />
          <AggregateChoice offers={offers} {...part} />
          {isPrivateChosen ? <Access offers={offers} input={input} onChange={onChange} /> : null}
          <PlanBar
            label="Create plan"
            isUnavailable={isBad}
            nowhere="Allow flavors that no host matches"
            isNowhereAccepted={input.isNowhereAccepted}
            onAccept={(isNowhereAccepted) => onChange({ isNowhereAccepted })}
          />
        </div>
      </Panel>
    </form>
  )
}
