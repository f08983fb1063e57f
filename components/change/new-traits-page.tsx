'use client'

import { useQueryStates } from 'nuqs'
import { type FormEvent, useState } from 'react'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { described, Field, Input, Select } from '@/components/ui/input'
import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import { EmptyState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { ChangePlan, TraitNaming } from '@/lib/schemas/api/change'
import type { PlanTraits } from '@/lib/schemas/api/change-inputs'
import { TRAIT_RULE_PATTERN } from '@/lib/schemas/api/change-limits'
import { CONFIG_CHOICES, chosenText, newTraitsParams, traitsInput } from './new-plan-params'
import { NoneChosen } from './none-chosen'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { PreviewPanels } from './preview-panels'
import { readGpus } from './read-gpus'
import { TraitTextsPanels } from './trait-texts-panels'

type ConfigChoice = (typeof CONFIG_CHOICES)[number]

/** Providers drawn at first, and with each press more. */
const PAGE = 25

const RULE_HELP = '{type} is the vGPU type, {id} its id, {vendor} NVIDIA, AMD or INTEL.'

const RuleForm = ({ rule, onRule }: { rule: string; onRule: (rule: string) => void }) => {
  const [text, setText] = useState(rule)
  const problem = TRAIT_RULE_PATTERN.test(text)
    ? undefined
    : 'Start with CUSTOM_ and include {type} or {id}. Use capitals, digits and underscores otherwise.'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem === undefined) onRule(text)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <div className="w-full max-w-[380px]">
        <Field id="trait-rule" label="Naming rule" help={RULE_HELP} error={problem}>
          <Input
            {...described('trait-rule', problem)}
            value={text}
            maxLength={100}
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" className="mt-[22px]" isUnavailable={problem !== undefined || text === rule}>
        Apply rule
      </Button>
    </form>
  )
}

/** Explains that the service account writes from then on, not the person. */
const KeepChoice = ({
  isManaged,
  onChange,
}: {
  isManaged: boolean
  onChange: (isManaged: boolean) => void
}) => (
  <div className="max-w-[80ch]">
    <label className="flex items-baseline gap-2">
      <input
        type="checkbox"
        aria-describedby="keep-traits-note"
        checked={isManaged}
        onChange={(event) => onChange(event.target.checked)}
      />
      Keep these traits when Nova recreates a provider
    </label>
    <p id="keep-traits-note" className="mt-0.5 pl-5 text-ink3 text-small">
      Nova deletes the provider of a full pGPU and recreates it without traits. The console then adds the
      traits again. It uses its own service account, which needs write access to Placement’s traits. Each
      write is recorded in the audit log. Manual removals are respected. To stop, use the page of the pGPU or
      a change that removes the trait.
    </p>
  </div>
)

const CONFIG_LABELS: Readonly<Record<ConfigChoice, string>> = {
  leave: 'Do not change provider config',
  write: 'Write the traits to provider config',
  remove: 'Remove these pGPUs from provider config',
}

/** nova-compute keeps the traits itself, from a file on its host. */
const ProviderConfigChoice = ({
  chosen,
  onChosen,
}: {
  chosen: ConfigChoice
  onChosen: (choice: ConfigChoice) => void
}) => (
  <div className="max-w-[80ch]">
    <div className="w-full max-w-[380px]">
      <Field id="provider-config" label="Provider config">
        <Select
          {...described('provider-config')}
          value={chosen}
          onChange={(event) => onChosen(CONFIG_CHOICES.find((one) => one === event.target.value) ?? 'leave')}
        >
          {CONFIG_CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {CONFIG_LABELS[choice]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
    <p className="mt-0.5 text-ink3 text-small">
      nova-compute then adds the traits without the console. It reads the file only at startup, so the plan
      restarts nova-compute. Running servers are unaffected. The agent writes the file if its host allows
      write-provider-config. Otherwise you write it.
    </p>
  </div>
)

const NothingToDo = ({ preview }: { preview: ChangePlan['preview'] }) => (
  <EmptyState title="No changes needed">
    {preview.refusals.length === 0
      ? 'Every selected pGPU already has its traits.'
      : 'Skipped pGPUs are listed under “Skipped”, with the reason.'}
  </EmptyState>
)

const ORIGINS: Readonly<Record<TraitNaming['origin'], string>> = {
  cloud: 'The traits of this cloud already follow this rule.',
  default: 'No trait of this cloud names a vGPU type yet. This is the default.',
  input: 'This rule differs from the one of the cloud and adds a second naming scheme.',
}

const listed = (traits: readonly string[]): string => (traits.length === 0 ? 'none' : traits.join(', '))

/** The naming rule, and the traits of each provider now and after the change. */
const Naming = ({ naming, onRule }: { naming: TraitNaming; onRule: (rule: string) => void }) => {
  const { providers, providerCount = providers.length } = naming
  const { first, more } = useMoreRows(providers, PAGE)
  return (
    <Panel title="Traits">
      <RuleForm key={naming.rule} rule={naming.rule} onRule={onRule} />
      <p className="mt-1 text-ink2 text-small">{ORIGINS[naming.origin]}</p>
      <div className="-mx-3.5 mt-2 -mb-3">
        <Table>
          <thead>
            <tr>
              <Th className="pl-3.5">Resource provider</Th>
              <Th className="max-md:hidden">Current traits</Th>
              <Th className="pr-3.5">
                <span className="md:hidden">Traits</span>
                <span className="max-md:hidden">After</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ providerName, typeName, current, after }) => (
              <Tr key={providerName}>
                <Td className="w-[40%] pl-3.5 align-top wrap-anywhere">
                  <span className="font-mono">{providerName}</span>
                  <span className="block text-ink2 text-small">{typeName}</span>
                </Td>
                <Td className="align-top font-mono wrap-anywhere max-md:hidden">{listed(current)}</Td>
                <Td className="pr-3.5 align-top font-mono wrap-anywhere">
                  <span className="block text-ink2 md:hidden">Current: {listed(current)}</span>
                  <span className="md:hidden">After: </span>
                  {listed(after)}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      {more === null && providers.length >= providerCount ? null : (
        <div className="mt-3">
          {more}
          <OmittedNote listed={providers.length} count={providerCount} />
        </div>
      )}
    </Panel>
  )
}

const Plan = ({ input, onRule }: { input: PlanTraits; onRule: (rule: string) => void }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ preview, ...plan }) => (
        <>
          {preview.traitNaming === null ? null : <Naming naming={preview.traitNaming} onRule={onRule} />}
          {plan.stepCount === 0 ? <NothingToDo preview={preview} /> : <PlannedSteps plan={plan} />}
          <TraitTextsPanels traitTexts={preview.traitTexts} />
        </>
      )}
      side={({ preview }) => <PreviewPanels preview={preview} cloud={cloud} />}
    />
  )
}

/** Prepares a plan for the traits of chosen pGPUs. The address holds what was chosen, so it can be sent to a colleague. */
export const NewTraitsPage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newTraitsParams)
  const { gpus, filter, type, what, keep, config } = params
  const isLost = what === 'lost'
  const isEmpty = readGpus(gpus).length === 0 && filter === '' && type === ''
  return (
    <>
      <PageHeader
        title={isLost ? 'Restore lost traits' : 'Tag with traits'}
        sub={isEmpty ? undefined : type === '' ? chosenText(params) : `every pGPU on ${type}`}
      />
      {isEmpty ? (
        <NoneChosen cloud={cloud}>Select pGPUs in the list, then “Tag with traits”.</NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <Panel>
            <div className="flex flex-col gap-3">
              <KeepChoice isManaged={keep} onChange={(next) => void setParams({ keep: next })} />
              <ProviderConfigChoice chosen={config} onChosen={(next) => void setParams({ config: next })} />
            </div>
          </Panel>
          <Plan onRule={(next) => void setParams({ rule: next })} input={traitsInput(cloud, params)} />
        </div>
      )}
    </>
  )
}
