import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FilteredSelect } from '@/components/ui/filtered-select'
import { described, Field, Input, Select } from '@/components/ui/input'
import { MAX_SCENARIO_GPUS } from '@/lib/schemas/api/change-limits'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { formatCount, formatNoun } from '@/lib/util/format'
import { HostPicks } from './host-picks'
import {
  emptyDraft,
  isWithin,
  MAX_CARDS,
  MAX_GIB,
  MAX_VCPUS,
  STEP_KINDS,
  type StepDraft,
  type StepKind,
  stepOfDraft,
} from './step-draft'

const KIND_NAMES = Object.keys(STEP_KINDS) as StepKind[]

type Choices = ScenarioResult['choices']
type Fields = { draft: StepDraft; onDraft: (draft: StepDraft) => void; choices: Choices }

const named = (name: string) => ({ value: name, label: name })

const Choice = ({
  label,
  value,
  choices,
  empty = 'Choose',
  onChoose,
}: {
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  empty?: string
  onChoose: (value: string) => void
}) => {
  const id = useId()
  return (
    <div className="w-full max-w-[220px]">
      <Field id={id} label={label}>
        <FilteredSelect
          id={id}
          label={label}
          empty={empty}
          value={value}
          choices={choices}
          onChoose={onChoose}
        />
      </Field>
    </div>
  )
}

type NumberName = 'count' | 'cards' | 'vcpus' | 'memoryGib' | 'diskGib'

const Amount = ({
  label,
  name,
  max,
  draft,
  onDraft,
}: Omit<Fields, 'choices'> & { label: string; name: NumberName; max: number }) => {
  const id = useId()
  const problem = isWithin(draft[name], max) ? undefined : `Enter a number from 1 to ${formatCount(max)}.`
  return (
    <div className="w-24">
      <Field id={id} label={label} error={problem}>
        <Input
          {...described(id, problem)}
          type="number"
          min={1}
          max={max}
          value={Number.isNaN(draft[name]) ? '' : draft[name]}
          onChange={(event) => onDraft({ ...draft, [name]: event.target.valueAsNumber })}
        />
      </Field>
    </div>
  )
}

const TypeFields = ({ draft, onDraft, choices }: Fields) => {
  const from = choices.types.find(({ typeId }) => typeId === draft.from)
  return (
    <>
      <Amount label="Cards" name="count" max={MAX_SCENARIO_GPUS} draft={draft} onDraft={onDraft} />
      <Choice
        label="From"
        value={draft.from}
        choices={choices.types.map(({ typeId, name, cards }) => ({
          value: typeId,
          label: `${name}, ${formatNoun(cards, 'card')}`,
        }))}
        onChoose={(value) => onDraft({ ...draft, from: value, to: '' })}
      />
      <Choice
        label="To"
        value={draft.to}
        choices={(from?.to ?? []).map(({ typeId, name }) => ({ value: typeId, label: name }))}
        onChoose={(to) => onDraft({ ...draft, to })}
      />
    </>
  )
}

const NewFields = ({ draft, onDraft, choices }: Fields) => {
  const card = choices.cards.find(({ model }) => model === draft.model)
  const amount = { draft, onDraft }
  return (
    <>
      <Amount label="Hosts" name="count" max={MAX_SCENARIO_GPUS} {...amount} />
      <Amount label="Cards per host" name="cards" max={MAX_CARDS} {...amount} />
      <Choice
        label="Card"
        value={draft.model}
        choices={choices.cards.map(({ model }) => named(model))}
        onChoose={(model) => onDraft({ ...draft, model, typeName: '' })}
      />
      <Choice
        label="vGPU type"
        value={draft.typeName}
        choices={(card?.types ?? []).map(named)}
        onChoose={(typeName) => onDraft({ ...draft, typeName })}
      />
      <Amount label="vCPUs per host" name="vcpus" max={MAX_VCPUS} {...amount} />
      <Amount label="Memory, GiB" name="memoryGib" max={MAX_GIB} {...amount} />
      <Amount label="Disk, GiB" name="diskGib" max={MAX_GIB} {...amount} />
      <Choice
        label="Aggregate"
        empty="None"
        value={draft.aggregate}
        choices={choices.aggregates.map(named)}
        onChoose={(aggregate) => onDraft({ ...draft, aggregate })}
      />
    </>
  )
}

const MoveFields = ({ draft, onDraft, choices }: Fields) => {
  const aggregates = choices.aggregates.map(named)
  const inside = choices.hosts
    .filter(({ aggregates: own }) => own.includes(draft.from))
    .map(({ name }) => name)
  return (
    <>
      <Choice
        label="From aggregate"
        value={draft.from}
        choices={aggregates}
        onChoose={(from) => onDraft({ ...draft, from, hosts: [] })}
      />
      <Choice
        label="To aggregate"
        value={draft.to}
        choices={aggregates.filter(({ value }) => value !== draft.from)}
        onChoose={(to) => onDraft({ ...draft, to })}
      />
      <HostPicks hosts={inside} picked={draft.hosts} onPick={(hosts) => onDraft({ ...draft, hosts })} />
    </>
  )
}

const ChosenFields = ({ draft, onDraft, choices }: Fields) => {
  switch (draft.kind) {
    case 'type':
      return <TypeFields draft={draft} onDraft={onDraft} choices={choices} />
    case 'new':
      return <NewFields draft={draft} onDraft={onDraft} choices={choices} />
    case 'add':
      return (
        <>
          <Amount label="Hosts" name="count" max={MAX_SCENARIO_GPUS} draft={draft} onDraft={onDraft} />
          <Choice
            label="Like"
            value={draft.like}
            choices={choices.hosts.map(({ name, cards }) => ({
              value: name,
              label: `${name}, ${formatNoun(cards, 'card')}`,
            }))}
            onChoose={(like) => onDraft({ ...draft, like })}
          />
        </>
      )
    case 'remove':
      return (
        <HostPicks
          hosts={choices.hosts.map(({ name }) => name)}
          picked={draft.hosts}
          onPick={(hosts) => onDraft({ ...draft, hosts })}
        />
      )
    case 'move':
      return <MoveFields draft={draft} onDraft={onDraft} choices={choices} />
  }
}

/** One more step of a scenario. */
export const StepForm = ({
  choices,
  onStep,
  onCancel,
}: {
  choices: Choices
  onStep: (step: ScenarioStepDto) => void
  onCancel: () => void
}) => {
  const id = useId()
  const [draft, setDraft] = useState<StepDraft>(emptyDraft('new'))
  const step = stepOfDraft(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step !== null) onStep(step)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-x-4 gap-y-2.5" aria-label="New step">
      <div className="w-full max-w-[240px]">
        <Field id={`${id}-kind`} label="Change">
          <Select
            id={`${id}-kind`}
            value={draft.kind}
            onChange={(event) => {
              const kind = KIND_NAMES.find((name) => name === event.target.value)
              if (kind !== undefined) setDraft({ ...emptyDraft(kind), date: draft.date })
            }}
          >
            {KIND_NAMES.map((kind) => (
              <option key={kind} value={kind}>
                {STEP_KINDS[kind]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="w-[150px]">
        <Field id={`${id}-date`} label="Date" help="Blank: now.">
          <Input
            {...described(`${id}-date`)}
            type="date"
            value={draft.date}
            onChange={(event) => setDraft({ ...draft, date: event.target.value })}
          />
        </Field>
      </div>
      <ChosenFields draft={draft} onDraft={setDraft} choices={choices} />
      <div className="flex w-full gap-2">
        <Button type="submit" variant="main" isUnavailable={step === null}>
          Add step
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
