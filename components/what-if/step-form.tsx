import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FilteredSelect } from '@/components/ui/filtered-select'
import { described, Field, Input, Select } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { MAX_WHAT_IF_GPUS } from '@/lib/schemas/api/change-limits'
import type { WhatIf } from '@/lib/schemas/api/what-if'
import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'
import { formatCount, formatNoun } from '@/lib/util/format'

/** Maximum number of listed hosts; the filter finds the others. */
const MAX_SHOWN = 60
const FILTERED_FROM = 12

/** Hosts to be ticked. */
const HostPicks = ({
  hosts,
  picked,
  onPick,
}: {
  hosts: readonly string[]
  picked: readonly string[]
  onPick: (picked: string[]) => void
}) => {
  const [filter, setFilter] = useState('')
  const found = hosts.filter((name) => name.includes(filter.trim().toLowerCase()))
  const isAll = found.length > 0 && found.every((name) => picked.includes(name))
  return (
    <fieldset className="m-0 w-full max-w-[420px] border-0 p-0">
      <legend className="mb-1 flex items-center gap-2 p-0 font-[550] text-small">
        Hosts <span className="font-normal text-ink3">{formatCount(picked.length)} chosen</span>
      </legend>
      {hosts.length < FILTERED_FROM ? null : (
        <Input
          aria-label="Filter the hosts"
          placeholder="Filter"
          className="mb-1.5"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <div className="grid max-h-40 grid-cols-2 gap-x-4 overflow-auto rounded-control border border-line px-2.5 py-1.5 max-sm:grid-cols-1">
        {found.slice(0, MAX_SHOWN).map((name) => (
          <label key={name} className="flex items-baseline gap-2 break-all">
            <input
              type="checkbox"
              checked={picked.includes(name)}
              onChange={(event) =>
                onPick(event.target.checked ? [...picked, name] : picked.filter((each) => each !== name))
              }
            />
            {name}
          </label>
        ))}
        {found.length > MAX_SHOWN ? (
          <p className="text-ink3 text-small">
            {formatNoun(found.length - MAX_SHOWN, 'more host')}: use the filter
          </p>
        ) : null}
        {found.length === 0 ? <p className="text-ink3 text-small">No host.</p> : null}
      </div>
      <Button
        size="small"
        variant="ghost"
        className="mt-1"
        isUnavailable={found.length === 0}
        onClick={() =>
          onPick(isAll ? picked.filter((name) => !found.includes(name)) : [...new Set([...picked, ...found])])
        }
      >
        {isAll ? 'None of these' : `All ${formatCount(found.length)}`}
      </Button>
    </fieldset>
  )
}

type Kind = WhatIfStepInput['do']
type Draft = { kind: Kind; count: number; from: string; to: string; like: string; hosts: string[] }

const KINDS: Readonly<Record<Kind, string>> = {
  type: 'Change vGPU type of cards',
  add: 'Add hosts',
  remove: 'Remove hosts',
  move: 'Move hosts to another aggregate',
}
const KIND_NAMES = Object.keys(KINDS) as Kind[]

const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MAX_WHAT_IF_GPUS

const stepOf = ({ kind, count, from, to, like, hosts }: Draft): WhatIfStepInput | null => {
  switch (kind) {
    case 'type':
      return isCount(count) && from !== '' && to !== '' ? { do: kind, count, from, to } : null
    case 'add':
      return isCount(count) && like !== '' ? { do: kind, count, like } : null
    case 'remove':
      return hosts.length > 0 ? { do: kind, hosts } : null
    case 'move':
      return hosts.length > 0 && from !== '' && to !== '' && from !== to
        ? { do: kind, hosts, from, to }
        : null
  }
}

const Choice = ({
  id,
  label,
  value,
  choices,
  onChoose,
}: {
  id: string
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}) => (
  <div className="w-full max-w-[260px]">
    <Field id={id} label={label}>
      <FilteredSelect
        id={id}
        label={label}
        empty="Choose"
        value={value}
        choices={choices}
        onChoose={onChoose}
      />
    </Field>
  </div>
)

const Count = ({ what, draft, onDraft }: { what: string; draft: Draft; onDraft: (draft: Draft) => void }) => {
  const problem = isCount(draft.count) ? undefined : `Enter a number from 1 to ${MAX_WHAT_IF_GPUS}.`
  return (
    <div className="w-24">
      <Field id="count" label={what} error={problem}>
        <Input
          {...described('count', problem)}
          type="number"
          min={1}
          max={MAX_WHAT_IF_GPUS}
          value={Number.isNaN(draft.count) ? '' : draft.count}
          onChange={(event) => onDraft({ ...draft, count: event.target.valueAsNumber })}
        />
      </Field>
    </div>
  )
}

type Fields = { draft: Draft; onDraft: (draft: Draft) => void; choices: WhatIf['choices'] }

const TypeFields = ({ draft, onDraft, choices }: Fields) => {
  const from = choices.types.find(({ typeId }) => typeId === draft.from)
  return (
    <>
      <Count what="Cards" draft={draft} onDraft={onDraft} />
      <Choice
        id="from"
        label="From"
        value={draft.from}
        choices={choices.types.map(({ typeId, name, cards }) => ({
          value: typeId,
          label: `${name}, ${formatNoun(cards, 'card')}`,
        }))}
        onChoose={(value) => onDraft({ ...draft, from: value, to: '' })}
      />
      <Choice
        id="to"
        label="To"
        value={draft.to}
        choices={(from?.to ?? []).map(({ typeId, name }) => ({ value: typeId, label: name }))}
        onChoose={(to) => onDraft({ ...draft, to })}
      />
    </>
  )
}

const MoveFields = ({ draft, onDraft, choices }: Fields) => {
  const aggregates = choices.aggregates.map((name) => ({ value: name, label: name }))
  const inside = choices.hosts
    .filter(({ aggregates: own }) => own.includes(draft.from))
    .map(({ name }) => name)
  return (
    <>
      <Choice
        id="from"
        label="From aggregate"
        value={draft.from}
        choices={aggregates}
        onChoose={(from) => onDraft({ ...draft, from, hosts: [] })}
      />
      <Choice
        id="to"
        label="To aggregate"
        value={draft.to}
        choices={aggregates.filter(({ value }) => value !== draft.from)}
        onChoose={(to) => onDraft({ ...draft, to })}
      />
      <HostPicks hosts={inside} picked={draft.hosts} onPick={(hosts) => onDraft({ ...draft, hosts })} />
    </>
  )
}

const Chosen = ({ draft, onDraft, choices }: Fields) => {
  switch (draft.kind) {
    case 'type':
      return <TypeFields draft={draft} onDraft={onDraft} choices={choices} />
    case 'add':
      return (
        <>
          <Count what="Hosts" draft={draft} onDraft={onDraft} />
          <Choice
            id="like"
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

const EMPTY = { count: 1, from: '', to: '', like: '', hosts: [] }

/** One more step to be tried. */
export const StepForm = ({
  choices,
  onStep,
}: {
  choices: WhatIf['choices']
  onStep: (step: WhatIfStepInput) => void
}) => {
  const [draft, setDraft] = useState<Draft>({ kind: 'type', ...EMPTY })
  const step = stepOf(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step === null) return
    onStep(step)
    setDraft({ kind: draft.kind, ...EMPTY })
  }
  return (
    <Panel title="New step">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="w-full max-w-[280px]">
          <Field id="kind" label="Change">
            <Select
              id="kind"
              value={draft.kind}
              onChange={(event) => {
                const kind = KIND_NAMES.find((name) => name === event.target.value)
                if (kind !== undefined) setDraft({ kind, ...EMPTY })
              }}
            >
              {KIND_NAMES.map((kind) => (
                <option key={kind} value={kind}>
                  {KINDS[kind]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Chosen draft={draft} onDraft={setDraft} choices={choices} />
        <Button type="submit" variant="main" className="mt-[21px]" isUnavailable={step === null}>
          Add step
        </Button>
      </form>
    </Panel>
  )
}
