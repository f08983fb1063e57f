import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { requestText } from '@/lib/domain/fit/request-text'
import { serversOfFlavor } from '@/lib/domain/flavor/servers-of-flavor'
import { renderTerraform } from '@/lib/domain/flavor/terraform'
import { type Encoded, encodedLines, joinEncoded } from '@/lib/util/encode/encoded'
import { hcl, hclComment, hclString } from '@/lib/util/encode/hcl'
import type { FlavorTask } from '../flavor-steps/tasks'
import { firstMalformed, type Malformed, malformed, malformedReason } from '../malformed/malformed'
import type { PlanBase } from '../step'
import type { FlavorDraft, FlavorDrafts, FlavorInput } from './draft-flavors'
import type { FlavorChangePreview, FlavorEffect, PlacementPreview, SpecChange } from './preview'

const RESOURCES = /^resources\w*:(.*)$/s
const TRAIT = /^trait\w*:(.*)$/s
const ALIAS = 'pci_passthrough:alias'

/** Of the extra specs that a plan writes: the class, the trait or the aliases that one names. */
const malformedSpec = (flavorName: string, key: string, value: string): Malformed | null => {
  const of = (what: string) => ({
    origin: `The ${what} of the extra spec ${key} for the flavor ${flavorName}`,
    remedy: 'enter another value',
  })
  return firstMalformed([
    () => malformed('extraSpecKey', key, of('key')),
    () => malformed('resourceClass', RESOURCES.exec(key)?.[1] ?? null, of('resource class')),
    () => malformed('trait', TRAIT.exec(key)?.[1] ?? null, of('trait')),
    ...(key === ALIAS ? value.split(',') : []).map(
      (part) => () => malformed('alias', part.replace(/:[^:]*$/, '').trim(), of('alias')),
    ),
  ])
}

/** Of a flavor that a plan creates or changes: its id, and the extra specs that are other than before. */
export const malformedFlavor = ({
  before,
  after,
}: {
  before: Flavor | null
  after: Flavor
}): Malformed | null =>
  firstMalformed([
    () =>
      malformed('flavorId', after.id, {
        origin: `The id of the flavor ${after.name} in Nova`,
        remedy: 'create the flavor again under another id',
      }),
    ...Object.entries(after.extraSpecs)
      .filter(([key, value]) => before?.extraSpecs[key] !== value)
      .map(
        ([key, value]) =>
          () =>
            malformedSpec(after.name, key, value),
      ),
  ])

type PlanInput = {
  drafts: FlavorDrafts
  /** By flavor; those whose amounts and extra specs stay are missing. */
  landings: ReadonlyMap<string, PlacementPreview>
  input: FlavorInput
  /** Flavors that could land nowhere are planned all the same. */
  isNoMatchAccepted: boolean
}

const asksOf = (fleet: Fleet, flavor: Flavor): string => {
  const request = readFlavorRequest(flavor)
  return requestText(flavor, request, reachedTypes(fleet, request), gpuAmountsIn(fleet, request))
}

const specsOf = ({ before, after }: FlavorDraft): SpecChange[] =>
  [...new Set([...Object.keys(before?.extraSpecs ?? {}), ...Object.keys(after.extraSpecs)])].map((key) => ({
    key,
    before: before?.extraSpecs[key] ?? null,
    after: after.extraSpecs[key] ?? null,
  }))

const effectOf = (
  fleet: Fleet,
  draft: FlavorDraft,
  placementPreview: PlacementPreview | null,
): FlavorEffect => ({
  id: draft.after.id,
  name: draft.after.name,
  isNew: draft.before === null,
  isPublic: draft.after.isPublic,
  asksBefore: draft.before === null ? null : asksOf(fleet, draft.before),
  asks: asksOf(fleet, draft.after),
  specs: specsOf(draft),
  servers: draft.before === null ? 0 : (serversOfFlavor(fleet, draft.before)?.length ?? null),
  placementPreview,
})

/**
 * Why no server of a flavor could run on any host of the current cloud; null if one could, or if it is unknown. Full
 * hosts count, because they become free.
 */
export const landsNowhere = ({
  placement,
  possibleHosts,
  fits,
  unknownHosts,
  because,
}: PlacementPreview): string | null => {
  if (placement.state === 'refused') return placement.because ?? 'Placement refuses its query'
  if (possibleHosts !== 0 || fits > 0 || unknownHosts > 0) return null
  return `no host could run a server of it, even if every host were empty${because === null ? '' : `; closest host: ${because}`}`
}

/** An existing aggregate is managed elsewhere: a resource for it here would take it over. */
const leftToDo = (aggregate: string, commands: readonly Encoded<'shell'>[]): Encoded<'hcl'> =>
  joinEncoded(
    [
      hcl`# The aggregate ${hclString(aggregate)} exists already and is not a resource here. It also needs:`,
      ...commands.flatMap((command) => encodedLines(command)).map(hclComment),
      hcl``,
      hcl``,
    ],
    '\n',
  )

const terraformOf = (input: FlavorInput, { first, tie }: FlavorDrafts): Encoded<'hcl'> | null => {
  if (input.do !== 'create') return null
  const isMade = first.some(({ task }) => task.kind === 'create-aggregate')
  const text = renderTerraform(input.flavor, isMade ? tie : null)
  return tie === null || isMade || first.length === 0
    ? text
    : hcl`${leftToDo(
        tie.name,
        first.map(({ command }) => command),
      )}${text}`
}

export type FlavorPlan = PlanBase<FlavorTask> & { kind: 'flavor'; flavorChange: FlavorChangePreview }

/** The plan for flavors, and what it means. A flavor that could land nowhere is refused unless that is accepted. */
export const planFlavors = (fleet: Fleet, input: PlanInput): FlavorPlan => {
  const { drafts, landings, input: requested, isNoMatchAccepted } = input
  const judged = drafts.drafts.map((draft) => {
    const placementPreview = landings.get(draft.after.id) ?? null
    const malformed = malformedFlavor(draft)
    const nowhere = placementPreview === null || isNoMatchAccepted ? null : landsNowhere(placementPreview)
    return {
      draft,
      placementPreview,
      reason: malformed === null ? nowhere : malformedReason(malformed),
    }
  })
  const retained = judged.filter(({ reason }) => reason === null)
  // Flavors that are tied already: their aggregate alone changes.
  const isFirstAlone = judged.length + drafts.refusals.length === 0
  return {
    kind: 'flavor',
    title: drafts.title,
    steps:
      retained.length === 0 && !isFirstAlone
        ? []
        : [...drafts.first, ...retained.flatMap(({ draft }) => draft.steps)],
    targets: [],
    refusals: [],
    unchanged: [],
    flavors: [],
    flavorChange: {
      flavors: judged.map(({ draft, placementPreview }) => effectOf(fleet, draft, placementPreview)),
      refusals: [
        ...drafts.refusals,
        ...judged.flatMap(({ draft: { after }, reason }) =>
          reason === null ? [] : [{ id: after.id, name: after.name, reason }],
        ),
      ],
      unchanged: [...drafts.unchanged],
      aggregate: drafts.aggregate,
      notes: [...drafts.notes],
      terraform: terraformOf(requested, drafts),
    },
  }
}
