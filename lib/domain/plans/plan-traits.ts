import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitOfType } from '@/lib/domain/cloud/type-traits'
import { plural } from '@/lib/domain/wording'
import { createTraitStep } from './create-trait-step'
import { applyTraitChange, isNoChange, traitChange } from './merge-traits'
import { previewFlavors } from './preview-flavors'
import { otherTypeTraits, readTaggables, type Taggable } from './read-taggable'
import { shellQuote } from './shell-quote'
import type { ChangeTarget, Plan, PlannedStep } from './types'

type TraitsInput = {
  gpus: readonly ChangeTarget[]
  /** Names each type's trait; see traitOfType. */
  rule: string
}

type SetTraits = Extract<PlannedStep['task'], { kind: 'set-traits' }>

const words = (items: readonly string[]): string => items.map(shellQuote).join(' ')

const titleOf = ({ trait, host, address }: SetTraits, removed: readonly string[]): string =>
  `Put ${trait} on ${host} ${address}${removed.length === 0 ? '' : `, take ${removed.join(', ')} off`}`

/** A step that brings one provider's traits in line; foreign traits stay. */
const setTraitsStep = (task: SetTraits, traits: readonly string[]): PlannedStep => {
  const { added, removed } = traitChange(task, traits)
  const path = `/resource_providers/${task.providerUuid}/traits`
  const list = JSON.stringify(applyTraitChange({ added, removed }, traits))
  return {
    id: `set-traits/${task.providerName}`,
    title: titleOf(task, removed),
    doer: 'console',
    calls: [`GET ${path}`, `PUT ${path} {"resource_provider_generation": <as read>, "traits": ${list}}`],
    command: `retag ${words([task.providerUuid, task.providerName, task.trait, ...removed])}`,
    undoCommand: `untag ${words([task.providerUuid, task.providerName, task.trait, ...removed])}`,
    sees: `${task.providerName} is ${task.providerUuid}, stands for ${task.typeName} (${task.typeId}) and has ${
      traits.length === 0 ? 'no traits' : traits.join(', ')
    }.`,
    precondition:
      'The provider still has this uuid, its device still has this vGPU type, and it carries the same traits of types.',
    check: `GET ${path} has ${task.trait}${removed.length === 0 ? '' : ` and not ${removed.join(', ')}`}.`,
    undo: 'Takes off what this step put on and puts back what it took off; traits of others stay.',
    task,
  }
}

const taskOf = (
  { joined, entry, rule }: { joined: JoinedHost; entry: JoinedPgpu; rule: string },
  { entry: { provider, address }, type }: Taggable,
): SetTraits => {
  const trait = traitOfType(rule, { type, vendorId: entry.pgpu.vendorId })
  const otherTypes = otherTypeTraits(entry, { rule, type })
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

type Draft = { target: ChangeTarget; steps: { step: PlannedStep; after: string[]; uuid: string }[] }

const draft = (
  fleet: Fleet,
  { target, rule }: { target: ChangeTarget; rule: string },
): Draft | { reason: string } => {
  const joined = fleet.hosts.find(({ host }) => host.name === target.host)
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === target.address)
  if (joined === undefined || entry === undefined) return { reason: 'no agent reports such a pGPU' }
  const { taggables, reason } = readTaggables(joined, entry)
  if (taggables === null) return { reason }
  const steps = taggables.flatMap((taggable) => {
    const task = taskOf({ joined, entry, rule }, taggable)
    const traits = taggable.entry.provider.traits ?? []
    const change = traitChange(task, traits)
    if (isNoChange(change)) return []
    const step = setTraitsStep(task, traits)
    return [{ step, after: applyTraitChange(change, traits), uuid: task.providerUuid }]
  })
  return { target, steps }
}

const titleFor = (traits: readonly string[], count: number): string => {
  const [only] = traits
  const pgpus = plural(count, 'pGPU', 'pGPUs')
  return only === undefined || traits.length > 1
    ? `Traits of ${plural(traits.length, 'type', 'types')} on ${pgpus}`
    : `${only} on ${pgpus}`
}

/**
 * Plan for the traits that providers should carry by one naming rule: makes missing traits, then one step per provider.
 * Refused, with the reason: pGPUs whose type or providers are not known, and PCI in Placement, whose traits Nova writes.
 */
export const planTraits = (fleet: Fleet, { gpus, rule }: TraitsInput): Plan => {
  const outcomes = gpus.map((target) => ({ target, outcome: draft(fleet, { target, rule }) }))
  const drafts = outcomes.flatMap(({ outcome }) => ('reason' in outcome ? [] : [outcome]))
  const planned = drafts.flatMap(({ steps }) => steps)
  const traits = [
    ...new Set(planned.flatMap(({ step: { task } }) => (task.kind === 'set-traits' ? [task.trait] : []))),
  ].toSorted()
  const targets = drafts.filter(({ steps }) => steps.length > 0).map(({ target }) => target)
  return {
    title: titleFor(traits, targets.length),
    steps: [...traits.map(createTraitStep), ...planned.map(({ step }) => step)],
    targets,
    refusals: outcomes.flatMap(({ target, outcome }) =>
      'reason' in outcome ? [{ ...target, reason: outcome.reason }] : [],
    ),
    unchanged: drafts.filter(({ steps }) => steps.length === 0).map(({ target }) => target),
    flavors: previewFlavors(fleet, new Map(planned.map(({ uuid, after }) => [uuid, after]))),
    typeChange: null,
  }
}
