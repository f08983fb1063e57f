'use client'

import { type FormEvent, useState } from 'react'
import { PickList } from '@/components/form/pick-list'
import { useCloud } from '@/components/shell/use-cloud'
import { CopyButton } from '@/components/ui/copyable'
import { described, Field, Input, Textarea } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import { AggregateChoice } from './aggregate-choice'
import { type InputProblems, type NewFlavorInput, problemsOf, specsOf } from './flavor-input'
import { GpuChoice } from './gpu-choice'
import { PlanBar } from './plan-bar'

type Access = Pick<NewFlavorInput, 'isPublic' | 'projectIds'>

const WAYS = [
  { isPublic: true, label: 'Every project' },
  { isPublic: false, label: 'These projects' },
] as const

/** The projects of a new flavor; Nova cannot change a public one to private or back. */
const AccessChoice = ({
  offers: { projects },
  input,
  onChange,
}: {
  offers: Pick<FlavorOffers, 'projects'>
  input: Access
  onChange: (access: Partial<Access>) => void
}) => (
  <div className="flex flex-col gap-2">
    <fieldset className="m-0 flex min-w-0 flex-wrap items-baseline gap-x-4 border-0 p-0">
      <legend className="mb-1 font-[550] text-small">Access</legend>
      {WAYS.map(({ isPublic, label }) => (
        <label key={label} className="flex items-baseline gap-2">
          <input
            type="radio"
            name="access"
            checked={input.isPublic === isPublic}
            onChange={() => onChange({ isPublic })}
          />
          {label}
        </label>
      ))}
    </fieldset>
    {input.isPublic ? null : projects === null ? (
      <p className="text-warn">Keystone’s projects have not been read, so you cannot select any.</p>
    ) : (
      <PickList
        legend="Projects"
        items={projects.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={input.projectIds}
        onChoose={(projectIds) => onChange({ projectIds })}
        empty="Keystone has no projects."
      />
    )}
  </div>
)

/** The literal extra specs, as Nova gets them. */
const LiteralSpecs = ({ specs }: { specs: Readonly<Record<string, string>> }) => {
  const lines = Object.entries(specs).map(([key, value]) => `${key}=${value}`)
  return (
    <Panel
      title="Extra specs"
      note="exact values"
      actions={
        lines.length === 0 ? undefined : <CopyButton text={lines.join('\n')} label="Copy the extra specs" />
      }
    >
      {lines.length === 0 ? (
        <p className="text-ink3">none, so servers of this flavor get no GPU</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} className="font-mono text-small wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

type Change = (part: Partial<NewFlavorInput>) => void
type PartProps = { input: NewFlavorInput; problems: InputProblems; onChange: Change }

const Names = ({ input, problems, onChange }: PartProps) => (
  <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
    <div className="w-full max-w-[300px]">
      <Field id="flavor-name" label="Name" help="Cannot be changed later." error={problems.name}>
        <Input
          {...described('flavor-name', problems.name)}
          value={input.name}
          maxLength={255}
          spellCheck={false}
          placeholder="vgpu.a40-4q"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
    </div>
    <div className="w-full max-w-[420px]">
      <Field id="flavor-description" label="Description" help="Optional. Shown to tenants.">
        <Input
          {...described('flavor-description')}
          value={input.description}
          maxLength={1000}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
    </div>
  </div>
)

const SIZES = [
  { name: 'vcpus', label: 'vCPUs' },
  { name: 'memoryGib', label: 'Memory (GiB)' },
  { name: 'diskGib', label: 'Disk (GiB)' },
] as const

const Sizes = ({ input, problems, onChange }: PartProps) => (
  <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
    {SIZES.map(({ name, label }) => (
      <div key={name} className="w-28">
        <Field id={`flavor-${name}`} label={label} error={problems[name]}>
          <Input
            {...described(`flavor-${name}`, problems[name])}
            value={input[name]}
            inputMode="decimal"
            maxLength={8}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        </Field>
      </div>
    ))}
  </div>
)

const More = ({ input, problems, onChange }: PartProps) => (
  <Field
    id="flavor-more"
    label="More extra specs"
    help="Enter one key=value per line. These override the selection above."
    error={problems.more}
  >
    <Textarea
      {...described('flavor-more', problems.more)}
      rows={3}
      value={input.more}
      maxLength={4000}
      placeholder="hw:cpu_policy=dedicated"
      onChange={(event) => onChange({ more: event.target.value })}
    />
  </Field>
)

/** What a new flavor should give, from what the cloud has. Nothing is planned before the button is pressed. */
export const NewFlavorForm = ({
  offers,
  input: first,
  onPlan,
}: {
  offers: FlavorOffers
  input: NewFlavorInput
  onPlan: (input: NewFlavorInput) => void
}) => {
  const { cloud } = useCloud()
  const [input, setInput] = useState(first)
  const [isTried, setIsTried] = useState(false)
  const found = problemsOf(input)
  const isBad = Object.keys(found).length > 0
  const onChange: Change = (part) => setInput({ ...input, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isBad) onPlan(input)
  }
  const part = { input, problems: isTried ? found : {}, onChange }
  return (
    <form
      onSubmit={submit}
      noValidate
      className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]"
    >
      <Panel>
        <div className="flex flex-col gap-3.5">
          <GpuChoice offers={offers} gpu={input.gpu} cloud={cloud} onChoose={(gpu) => onChange({ gpu })} />
          <Sizes {...part} />
          <Names {...part} />
          <AccessChoice offers={offers} input={input} onChange={onChange} />
          <AggregateChoice offers={offers} {...part} />
          <More {...part} />
          <PlanBar
            label="Create plan"
            nowhere="Allow a flavor that no host matches"
            isNowhereAccepted={input.isNowhereAccepted}
            onAccept={(isNowhereAccepted) => onChange({ isNowhereAccepted })}
          />
        </div>
      </Panel>
      <LiteralSpecs specs={specsOf(input)} />
    </form>
  )
}
