import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { incompleteBecause } from '@/lib/domain/cloud/freshness'
import type { Flavor } from '@/lib/domain/cloud/types'
import { vgpuActionSentence } from '@/lib/domain/cloud/vgpu-actions'
import { firstVgpuOnly } from '@/lib/domain/fit/first-vgpu-only'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { aggregateSpecs } from '@/lib/domain/flavor/build-extra-specs'
import { requireTrait } from '@/lib/domain/flavor/required-traits'
import { formatNoun } from '@/lib/util/format'
import { type AggregateInput, draftAggregate, withGroupPolicy } from '../flavor-steps/draft-aggregate'
import {
  createFlavorStep,
  describeFlavorStep,
  extraSpecsStep,
  flavorAccessStep,
  membership,
} from '../flavor-steps/flavor-steps'
import type { FlavorStep, NewFlavorFacts, ValueChange } from '../flavor-steps/tasks'
import type { FlavorChangePreview } from './preview'

const FILTER_NOTE =
  'Properties of aggregates apply only if [filter_scheduler] enabled_filters of nova-scheduler has AggregateInstanceExtraSpecsFilter. No API exposes this.'
const POLICY_NOTE =
  'The aggregate also gets the group_policy of its flavors as a property. That extra spec has no scope, so AggregateInstanceExtraSpecsFilter requires it on the aggregate.'

const hasSeveralVgpus = (fleet: Fleet, flavor: Flavor): boolean =>
  firstVgpuOnly(fleet, readFlavorRequest(flavor)) !== null

/** Effects of flavors and of their aggregate in Nova that no call of the plan shows. */
const placementNotes = (
  fleet: Fleet,
  { tie, flavors }: { tie: AggregateInput | null; flavors: readonly Flavor[] },
): string[] => [
  ...(flavors.some((flavor) => hasSeveralVgpus(fleet, flavor))
    ? [vgpuActionSentence('severalVgpus', fleet.input.facts.versions)]
    : []),
  ...(Object.keys(tie?.properties ?? {}).length > 0 ? [FILTER_NOTE] : []),
  ...(tie?.properties.group_policy === undefined ? [] : [POLICY_NOTE]),
]

type ExtraSpecs = Readonly<Record<string, string>>

/** A flavor that is to be made. */
type NewFlavorInput = {
  do: 'create'
  /** Chosen before the request to Nova. */
  flavorId: string
  flavor: NewFlavorFacts & { extraSpecs: ExtraSpecs; projectIds: readonly string[] }
  aggregate: AggregateInput | null
}

/** The requested changes of existing flavors. */
type ChangedFlavorsInput = {
  do: 'change'
  flavorIds: readonly string[]
  /** To be required of each GPU that they ask for. */
  trait: string | null
  set: ExtraSpecs
  unset: readonly string[]
  /** Undefined: it stays. */
  description: string | null | undefined
  grant: readonly string[]
  revoke: readonly string[]
  /** Ids of projects that may use a private flavor now, by flavor; flavors that were not queried are missing. */
  access: ReadonlyMap<string, readonly string[]>
  /** Null: what ties them stays. */
  aggregate: AggregateInput | null
}

export type FlavorInput = NewFlavorInput | ChangedFlavorsInput

/** One flavor before and after, with its steps. */
export type FlavorDraft = { before: Flavor | null; after: Flavor; steps: readonly FlavorStep[] }

/** The input of a plan once the possible hosts of each flavor are known. */
export type FlavorDrafts = Pick<FlavorChangePreview, 'refusals' | 'unchanged' | 'aggregate' | 'notes'> & {
  title: string
  /** The requested aggregate; null: none. */
  tie: AggregateInput | null
  /** Before all others: the aggregate. */
  first: readonly FlavorStep[]
  drafts: readonly FlavorDraft[]
}

const BARE_NOTE =
  'Nova creates a flavor without extra specs and adds them in a second call. A server that is created in between gets no GPU.'

const projectNamesOf = ({ projects }: Fleet): Record<string, string> =>
  Object.fromEntries([...projects].map(([id, { name }]) => [id, name]))

const unknownProject = (fleet: Fleet, ids: readonly string[]): string | null => {
  const isRead = fleet.input.facts.projects.value !== null
  const missing = isRead ? ids.find((id) => !fleet.projects.has(id)) : undefined
  if (missing === undefined) return null
  const because = incompleteBecause(fleet.input, 'projects')
  return because === null
    ? `Keystone has no project ${missing}: choose another project`
    : `Project ${missing} cannot be checked. ${because}`
}

const nameTaken = ({ input }: Fleet, name: string): string | null => {
  const taken = (input.facts.flavors.value ?? []).find((flavor) => flavor.name === name)
  return taken === undefined
    ? null
    : `Nova already has a flavor ${name} with the id ${taken.id}: choose another name`
}

const specChanges = (specs: ExtraSpecs): ValueChange[] =>
  Object.entries(specs).map(([key, wanted]) => ({ key, seen: null, wanted }))

const draftNew = (fleet: Fleet, { flavorId, flavor, aggregate }: NewFlavorInput): FlavorDrafts => {
  const { extraSpecs, projectIds, ...facts } = flavor
  const named = { flavorId, flavorName: flavor.name }
  const tie = aggregate === null ? null : withGroupPolicy(fleet, aggregate, [extraSpecs])
  const tied = tie === null ? null : draftAggregate(fleet, tie)
  const rest = { ephemeralGib: 0, swapMib: 0, isDisabled: false }
  const after: Flavor = { id: flavorId, ...facts, ...rest, extraSpecs }
  const reason = nameTaken(fleet, flavor.name) ?? unknownProject(fleet, projectIds) ?? tied?.reason ?? null
  const common = {
    title: `Flavor ${flavor.name}`,
    unchanged: [],
    tie,
    aggregate: aggregate?.name ?? null,
    notes: [
      ...(Object.keys(extraSpecs).length > 0 && flavor.isPublic ? [BARE_NOTE] : []),
      ...placementNotes(fleet, { tie, flavors: [after] }),
    ],
  }
  if (reason !== null)
    return { ...common, first: [], drafts: [], refusals: [{ id: flavorId, name: flavor.name, reason }] }
  const steps = [
    createFlavorStep(flavorId, facts),
    ...(Object.keys(extraSpecs).length === 0 ? [] : [extraSpecsStep(named, specChanges(extraSpecs))]),
    ...(projectIds.length === 0
      ? []
      : [
          flavorAccessStep(named, {
            changes: membership(projectIds, true),
            projectNames: projectNamesOf(fleet),
          }),
        ]),
  ]
  return {
    ...common,
    first: tied?.steps ?? [],
    drafts: [{ before: null, after, steps }],
    refusals: [],
  }
}

/** The extra specs that require a trait of the GPUs that a flavor requests in this cloud. */
const requiredSpecs = (fleet: Fleet, flavor: Flavor, trait: string): Record<string, string> => {
  const request = readFlavorRequest(flavor)
  return requireTrait({ request, classes: [...gpuAmountsIn(fleet, request).keys()] }, trait)
}

const changesOf = (fleet: Fleet, flavor: Flavor, input: ChangedFlavorsInput): ValueChange[] => {
  const wanted: Record<string, string | null> = {
    ...Object.fromEntries(input.unset.map((key) => [key, null])),
    ...(input.trait === null ? {} : requiredSpecs(fleet, flavor, input.trait)),
    ...aggregateSpecs(input.aggregate?.properties ?? {}),
    ...input.set,
  }
  return Object.entries(wanted)
    .map(([key, value]) => ({ key, seen: flavor.extraSpecs[key] ?? null, wanted: value }))
    .filter(({ seen, wanted: value }) => seen !== value)
}

const accessChanges = (flavor: Flavor, { grant, revoke, access }: ChangedFlavorsInput): ValueChange[] => {
  const now = new Set(access.get(flavor.id) ?? [])
  return [
    ...membership(
      grant.filter((id) => !now.has(id)),
      true,
    ),
    ...membership(
      revoke.filter((id) => now.has(id)),
      false,
    ),
  ]
}

const whyNot = (fleet: Fleet, flavor: Flavor, input: ChangedFlavorsInput): string | null => {
  const { trait, grant, revoke, access } = input
  if (trait !== null && Object.keys(requiredSpecs(fleet, flavor, trait)).length === 0)
    return 'the flavor requests no GPU by a resource class, and a trait without a resource class matches nothing'
  if (grant.length + revoke.length === 0) return null
  if (flavor.isPublic)
    return 'the flavor is public: every project can use it, and Nova cannot restrict access to single projects'
  if (!access.has(flavor.id)) return 'Nova has not reported which projects can use the flavor'
  return unknownProject(fleet, grant)
}

const withChanges = (flavor: Flavor, changes: readonly ValueChange[]): Flavor => {
  const extraSpecs: Record<string, string> = { ...flavor.extraSpecs }
  for (const { key, wanted } of changes)
    if (wanted === null) delete extraSpecs[key]
    else extraSpecs[key] = wanted
  return { ...flavor, extraSpecs }
}

const draftChanged = (fleet: Fleet, flavor: Flavor, input: ChangedFlavorsInput): FlavorDraft => {
  const named = { flavorId: flavor.id, flavorName: flavor.name }
  const changes = changesOf(fleet, flavor, input)
  const access = accessChanges(flavor, input)
  const { description } = input
  // Another tool may have written an empty text, which is equal to no text.
  const seen = flavor.description === '' ? null : flavor.description
  const isDescribed = description !== undefined && description !== seen
  const steps = [
    ...(changes.length === 0 ? [] : [extraSpecsStep(named, changes)]),
    ...(isDescribed ? [describeFlavorStep(named, { seen, wanted: description })] : []),
    ...(access.length === 0
      ? []
      : [flavorAccessStep(named, { changes: access, projectNames: projectNamesOf(fleet) })]),
  ]
  return { before: flavor, after: withChanges(flavor, changes), steps }
}

const titleOf = (
  { trait, grant, revoke, set, unset, aggregate }: ChangedFlavorsInput,
  names: readonly string[],
): string => {
  if (aggregate !== null && names.length === 0) return `Aggregate ${aggregate.name}`
  const [only] = names
  const what = only === undefined || names.length > 1 ? formatNoun(names.length, 'flavor') : only
  if (trait !== null) return `${trait} required by ${what}`
  const isAccess = grant.length + revoke.length > 0 && Object.keys(set).length + unset.length === 0
  return isAccess ? `Access to ${what}` : `Change of ${names.length > 1 ? what : `the flavor ${what}`}`
}

const draftChanges = (fleet: Fleet, input: ChangedFlavorsInput): FlavorDrafts => {
  const known = new Map((fleet.input.facts.flavors.value ?? []).map((flavor) => [flavor.id, flavor]))
  const found = input.flavorIds.map((id) => ({ id, flavor: known.get(id) }))
  const specs = found.flatMap(({ flavor }) =>
    flavor === undefined ? [] : [draftChanged(fleet, flavor, input).after.extraSpecs],
  )
  const tie = input.aggregate === null ? null : withGroupPolicy(fleet, input.aggregate, specs)
  const tied = tie === null ? null : draftAggregate(fleet, tie)
  const judged = found.map(({ id, flavor }) => ({
    id,
    flavor,
    reason:
      flavor === undefined
        ? 'Nova no longer has this flavor'
        : (tied?.reason ?? whyNot(fleet, flavor, input)),
  }))
  const drafts = judged.flatMap(({ flavor, reason }) =>
    flavor === undefined || reason !== null ? [] : [draftChanged(fleet, flavor, input)],
  )
  const active = drafts.filter(({ steps }) => steps.length > 0)
  return {
    title: titleOf(
      input,
      active.map(({ after }) => after.name),
    ),
    tie,
    first: tied?.steps ?? [],
    drafts: active,
    refusals: judged.flatMap(({ id, flavor, reason }) =>
      reason === null ? [] : [{ id, name: flavor?.name ?? id, reason }],
    ),
    unchanged: drafts.filter(({ steps }) => steps.length === 0).map(({ after }) => after.name),
    aggregate: input.aggregate?.name ?? null,
    notes: placementNotes(fleet, { tie, flavors: active.map(({ after }) => after) }),
  }
}

/** The steps of a request, before the possible hosts of the flavors are known. Refused flavors have none. */
export const draftFlavors = (fleet: Fleet, input: FlavorInput): FlavorDrafts =>
  input.do === 'create' ? draftNew(fleet, input) : draftChanges(fleet, input)
