import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { otherTypeTraits, readTaggables, type Taggable } from '@/lib/domain/cloud/read-taggable'
import { cloudTraitRule } from '@/lib/domain/cloud/trait-rule'
import { DEFAULT_TRAIT_RULE, traitOfType } from '@/lib/domain/cloud/type-traits'
import { providerConfigNow, putBackBy, putBackReason } from '@/lib/domain/nova-config/provider-config-now'
import { listText } from '@/lib/domain/wording'
import type { TraitNaming } from '@/lib/schemas/api/change'
import { allSteps } from '@/lib/util/all-steps'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellArguments } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type CreateTraitTask, createTraitStep } from '../create-trait-step'
import { lostTraits } from '../lost-traits'
import { malformedReason } from '../malformed/malformed'
import { malformedProviders } from '../malformed/malformed-devices'
import type { KeepTraitsTask } from '../managed-traits/keep-traits-step'
import { planKeeping } from '../managed-traits/plan-keeping'
import { applyTraitChange, isNoChange, type SetTraitsTask, traitChange } from '../merge-traits'
import type { ChangeTarget, PlanBase, Step } from '../step'
import { type ProviderConfigChoice, planProviderConfig } from './plan-provider-config'
import { previewFlavors } from './preview-flavors'
import type { ProviderConfigStep } from './provider-config-steps'
import { type DescribedTexts, describeTraitTexts, type TraitTexts } from './trait-texts'

type TraitsInput = {
  gpus: readonly ChangeTarget[]
  /** Names each type's trait; see traitOfType. `auto`: see cloudTraitRule. Null: the traits that the providers lost go back. */
  rule: string | null
  /** The console restores them whenever Nova recreates a provider. */
  isManaged: boolean
  /** The change of the hosts' provider config. */
  providerConfig?: ProviderConfigChoice
}

type TraitTask = CreateTraitTask | SetTraitsTask | KeepTraitsTask | ProviderConfigStep['task']

const titleOf = ({ trait, host, address }: SetTraitsTask, removed: readonly string[]): string =>
  `Add ${trait} to ${host} ${address}${removed.length === 0 ? '' : `, remove ${removed.join(', ')}`}`

/** A step that brings one provider's traits in line; foreign traits stay. */
const setTraitsStep = (
  task: SetTraitsTask,
  traits: readonly string[],
  isAlone: boolean,
): Step<SetTraitsTask> => {
  const { added, removed } = traitChange(task, traits)
  const path = http`/resource_providers/${httpPart(task.providerUuid)}/traits`
  const list = httpBody(applyTraitChange({ added, removed }, traits))
  return {
    id: isAlone ? `set-traits/${task.providerName}` : `set-traits/${task.providerName}/${task.trait}`,
    title: titleOf(task, removed),
    doer: 'console',
    calls: [
      http`GET ${path}`,
      http`PUT ${path} {"resource_provider_generation": <as read>, "traits": ${list}}`,
    ],
    command: sh`retag ${shellArguments([task.providerUuid, task.providerName, task.trait, ...removed])}`,
    undoCommand: sh`untag ${shellArguments([task.providerUuid, task.providerName, task.trait, ...removed])}`,
    sees: `${task.providerName} is ${task.providerUuid}, has the type ${task.typeName} (${task.typeId}) and has ${
      traits.length === 0 ? 'no traits' : traits.join(', ')
    }.`,
    precondition:
      'Its device still has this vGPU type, and the provider has the same traits of types. A recreated provider without traits is used once the host has reported its type again.',
    check: `GET ${path} has ${task.trait}${removed.length === 0 ? '' : ` and not ${removed.join(', ')}`}.`,
    undo: 'Removes the traits that this step added and restores those that it removed. Traits of others are kept.',
    task,
  }
}

type DraftContext = { fleet: Fleet; joined: JoinedHost; entry: JoinedPgpu; rule: string | null }

const taskOf = (
  { joined, entry, rule }: DraftContext,
  { taggable: { entry: held, type }, trait }: { taggable: Taggable; trait: string },
): SetTraitsTask => {
  const { provider, address } = held
  const otherTypes = rule === null ? [] : otherTypeTraits(entry, { rule, type })
  return {
    kind: 'set-traits',
    host: joined.host.name,
    pgpuAddress: entry.pgpu.address,
    address,
    providerName: provider.name,
    providerUuid: provider.uuid,
    typeId: type.typeId,
    typeName: type.shortName,
    trait,
    otherTypes,
    seen: (provider.traits ?? []).filter((name) => name === trait || otherTypes.includes(name)).toSorted(),
  }
}

/** The traits that a provider is to get: the one of its type, or those that it lost and that name no other type. */
const wantedTraits = (context: DraftContext, { entry: { address }, type }: Taggable): string[] => {
  const { fleet, joined, entry, rule } = context
  if (rule !== null) return [traitOfType(rule, { type, vendorId: entry.pgpu.vendorId })]
  const others = otherTypeTraits(entry, { rule: DEFAULT_TRAIT_RULE, type })
  return lostTraits(fleet, { joined, entry, address, typeId: type.typeId }).filter(
    (trait) => !others.includes(trait),
  )
}

type DraftStep = { step: Step<SetTraitsTask>; after: readonly string[]; uuid: string }
type Draft = {
  target: ChangeTarget
  taggables: readonly Taggable[]
  steps: DraftStep[]
  keeping: Step<KeepTraitsTask>[]
}

const draftProvider = (context: DraftContext, taggable: Taggable): DraftStep[] => {
  const { provider } = taggable.entry
  let traits = provider.traits ?? []
  return wantedTraits(context, taggable).flatMap((trait) => {
    const task = taskOf(context, { taggable, trait })
    const change = traitChange(task, traits)
    if (isNoChange(change)) return []
    const step = setTraitsStep(task, traits, context.rule !== null)
    traits = applyTraitChange(change, traits)
    return [{ step, after: traits, uuid: provider.uuid }]
  })
}

/** Why taking traits off would come to nothing; null when it does not. */
const putBackOf = (
  { joined }: DraftContext,
  { tasks, choice }: { tasks: readonly SetTraitsTask[]; choice: ProviderConfigChoice },
): string | null => {
  const { now } = providerConfigNow(joined.host.inventory.novaConfig)
  if (now === null) return null
  // What the plan removes from the console's own file is not restored.
  const files = choice === 'remove' ? { ...now, own: null } : now
  for (const { providerName, providerUuid, otherTypes, seen } of tasks) {
    const back = putBackBy(files, {
      providers: [{ name: providerName, uuid: providerUuid }],
      isMeant: (trait) => otherTypes.includes(trait) && seen.includes(trait),
    })
    if (back !== null) return putBackReason(back)
  }
  return null
}

const draft = (
  fleet: Fleet,
  {
    target,
    rule,
    isManaged,
    providerConfig: choice = 'leave',
  }: { target: ChangeTarget } & Pick<TraitsInput, 'rule' | 'isManaged' | 'providerConfig'>,
): Draft | { reason: string } => {
  const joined = fleet.hosts.find(({ host }) => host.name === target.host)
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === target.address)
  if (joined === undefined || entry === undefined) return { reason: 'no agent reports such a pGPU' }
  const { taggables, reason } = readTaggables(joined, entry)
  if (taggables === null) return { reason }
  const malformed = malformedProviders(entry)
  if (malformed !== null) return { reason: malformedReason(malformed) }
  const context = { fleet, joined, entry, rule }
  const steps = taggables.flatMap((taggable) => draftProvider(context, taggable))
  const tasks = steps.map(({ step }) => step.task)
  const putBack = putBackOf(context, { tasks, choice })
  if (putBack !== null) return { reason: putBack }
  return { target, taggables, steps, keeping: planKeeping(fleet, { joined, entry, rule, isManaged, tasks }) }
}

function* namingOf(
  fleet: Fleet,
  chosen: string | null,
): Generator<void, Pick<TraitNaming, 'rule' | 'origin'> | null> {
  if (chosen === null) return null
  if (chosen !== 'auto') return { rule: chosen, origin: 'input' }
  const { rule, isFromCloud } = yield* cloudTraitRule(fleet)
  return { rule, origin: isFromCloud ? 'cloud' : 'default' }
}

const providersOf =
  (after: ReadonlyMap<string, readonly string[]>) =>
  ({ target, taggables }: Draft): TraitNaming['providers'] =>
    taggables.map(({ entry: { provider }, type }) => ({
      ...target,
      providerName: provider.name,
      typeName: type.shortName,
      current: (provider.traits ?? []).toSorted(),
      after: [...(after.get(provider.uuid) ?? provider.traits ?? [])].toSorted(),
    }))

const titleFor = (
  traits: readonly string[],
  { pgpus: count, configs }: { pgpus: number; configs: readonly string[] },
): string => {
  const [only] = traits
  const pgpus = formatNoun(count, 'pGPU')
  if (only === undefined)
    return configs.length > 0 ? `Provider config of ${listText(configs)}` : `Managed traits on ${pgpus}`
  return traits.length > 1
    ? `Traits of ${formatNoun(traits.length, 'type')} on ${pgpus}`
    : `${only} on ${pgpus}`
}

/** Files with the reason why the plan does not write them, as stored. */
const filesWithProblems = (
  { files, deviceSpecs }: DescribedTexts,
  outcomes: ReturnType<typeof planProviderConfig>,
): TraitTexts => ({
  files: files.map(({ entries: _, ...file }) => {
    const unwritten = outcomes.get(file.host)?.problem ?? null
    return unwritten === null ? file : { ...file, unwritten }
  }),
  deviceSpecs,
})

export type TraitsPlan = PlanBase<TraitTask> & {
  kind: 'traits'
  /** What each provider that it touches has then, by uuid. */
  traitsAfter: ReadonlyMap<string, readonly string[]>
  traitTexts: TraitTexts
  /** Null: the plan only adds lost traits again. */
  traitNaming: TraitNaming | null
}

/**
 * Plan for the traits that providers should carry by one naming rule: makes missing traits, then one step per provider, then
 * what keeps them. What leaves provider config leaves it first, since nova-compute would put it on again.
 * Refused, with the reason: pGPUs whose type or providers are not known, and PCI in Placement, whose traits Nova writes.
 */
export const planTraits = (fleet: Fleet, input: TraitsInput): TraitsPlan =>
  allSteps(traitsInSteps(fleet, input))

/** `planTraits`, with steps per pGPU, host and flavor. */
export function* traitsInSteps(
  fleet: Fleet,
  { gpus, rule: chosen, isManaged, providerConfig = 'leave' }: TraitsInput,
): Generator<void, TraitsPlan> {
  const naming = yield* namingOf(fleet, chosen)
  const rule = naming?.rule ?? null
  const outcomes: { target: ChangeTarget; outcome: ReturnType<typeof draft> }[] = []
  for (const target of gpus) {
    outcomes.push({ target, outcome: draft(fleet, { target, rule, isManaged, providerConfig }) })
    yield
  }
  const drafts = outcomes.flatMap(({ outcome }) => ('reason' in outcome ? [] : [outcome]))
  const planned = drafts.flatMap(({ steps }) => steps)
  const traits = [...new Set(planned.map(({ step }) => step.task.trait))].toSorted()
  const after = new Map(planned.map((one) => [one.uuid, one.after]))
  const texts = yield* describeTraitTexts(fleet, { gpus, rule, after })
  const configs = planProviderConfig(fleet, {
    choice: providerConfig,
    gpus: drafts.map(({ target }) => target),
    files: texts.files,
  })
  const configSteps = [...configs.values()].flatMap(({ steps }) => steps)
  const isTouched = ({ target, steps, keeping }: Draft) =>
    steps.length + keeping.length + (configs.get(target.host)?.steps.length ?? 0) > 0
  const targets = drafts.filter(isTouched).map(({ target }) => target)
  return {
    kind: 'traits',
    title: titleFor(traits, {
      pgpus: targets.length,
      configs: [...configs].flatMap(([host, { steps }]) => (steps.length === 0 ? [] : [host])),
    }),
    steps: [
      ...traits.map(createTraitStep),
      ...(providerConfig === 'remove' ? configSteps : []),
      ...planned.map(({ step }) => step),
      ...drafts.flatMap(({ keeping }) => keeping),
      ...(providerConfig === 'write' ? configSteps : []),
    ],
    targets,
    refusals: outcomes.flatMap(({ target, outcome }) =>
      'reason' in outcome ? [{ ...target, reason: outcome.reason }] : [],
    ),
    unchanged: drafts.filter((one) => !isTouched(one)).map(({ target }) => target),
    flavors: yield* previewFlavors(fleet, after),
    traitsAfter: after,
    traitTexts: filesWithProblems(texts, configs),
    traitNaming: naming === null ? null : { ...naming, providers: drafts.flatMap(providersOf(after)) },
  }
}
