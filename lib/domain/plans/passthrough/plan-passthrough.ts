import { readApiAliases } from '@/lib/domain/cloud/api-aliases'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { isSamePci } from '@/lib/domain/cloud/pci-layout'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { listText } from '@/lib/domain/wording'
import { allSteps } from '@/lib/util/all-steps'
import { formatNoun } from '@/lib/util/format'
import { mapInSteps } from '@/lib/util/map-in-steps'
import { isSameLayout } from '../host-steps/host-layout'
import { awaitEmptyStep, restartStep, writeConfigStep } from '../host-steps/host-steps'
import { leftoverSteps } from '../host-steps/leftover-steps'
import { staleSteps } from '../host-steps/placement-steps'
import type { FlavorHosts, HostDraft } from '../host-steps/preview'
import type { TypeChangePreview } from '../host-steps/preview-host'
import { closedReason, closeStep, drainStep, openStep } from '../host-steps/service-steps'
import { moveSupport, type StuckServer, stuckServers } from '../host-steps/stuck-servers'
import { traitSteps } from '../host-steps/trait-steps'
import { writePciStep } from '../host-steps/vfio/vfio-steps'
import type { PlanBase } from '../step'
import {
  awaitAliasSteps,
  bindSteps,
  cardTasks,
  clearTypeSteps,
  verifySlicedSteps,
  verifyWholeSteps,
  vfSteps,
} from './card-steps'
import { draftPassthrough, type PassthroughDraft, type PassthroughInput } from './draft'
import { passthroughConfigs } from './passthrough-texts'
import { previewPassthrough } from './preview'
import type { PassthroughStep } from './tasks'

const isOpen = ({ joined }: PassthroughDraft): boolean => joined.service.value?.status === 'enabled'

const titleFor = (drafts: readonly PassthroughDraft[]): string => {
  const targets = drafts.flatMap(({ targets: own }) => own)
  const where = listText(drafts.map(({ joined }) => joined.host.name))
  const cards = formatNoun(targets.length, 'card')
  return drafts[0]?.to === 'whole'
    ? `Configure ${cards} of ${where} for passthrough`
    : `Remove ${cards} of ${where} from passthrough`
}

/** The same host as a change of the type sees it. */
const typeDraft = ({ joined, targets, types }: PassthroughDraft): HostDraft => ({
  joined,
  targets,
  ...types,
  rule: DEFAULT_TRAIT_RULE,
})

type Held = { fleet: Fleet; servers: readonly StuckServer[]; plannedAt: string; reason: string }

const drainSteps = (
  draft: PassthroughDraft,
  { fleet, servers, plannedAt }: Pick<Held, 'fleet' | 'servers' | 'plannedAt'>,
): PassthroughStep[] => [
  ...servers.map((server) => {
    const entry = draft.targets.find((target) => target.entry.pgpu.address === server.address)?.entry
    return drainStep(draft.joined, {
      server,
      typeName: entry?.pgpu.currentType?.shortName ?? 'the whole card',
      plannedAt,
      support: moveSupport(fleet, { way: server.way, entry }),
    })
  }),
  awaitEmptyStep(draft),
]

/** A separate step for each file; the later one records the start time that the restart is compared with. */
const configSteps = (draft: PassthroughDraft): PassthroughStep[] => {
  const { joined, types, pci, to } = draft
  const host = joined.host.name
  const hasTypes = !isSameLayout(types.before, types.after)
  const hasPci =
    !isSamePci(joined, pci.before, pci.after) || pci.before.aliases.length !== pci.after.aliases.length
  const words = to === 'whole' ? 'Add the cards to [pci] of' : 'Remove the cards from [pci] of'
  return [
    ...(hasTypes
      ? [
          {
            ...writeConfigStep(typeDraft(draft)),
            id: hasPci ? `write-types/${host}` : `write-config/${host}`,
            title: `Remove the cards from the vGPU types in nova.conf of ${host}`,
            check: "The host's report gives these cards no vGPU type.",
          },
        ]
      : []),
    ...(hasPci
      ? [
          {
            ...writePciStep({ joined, targets: [], before: pci.before, after: pci.after }),
            title: `${words} ${host}`,
            check: "The host's report has device_spec and alias as planned.",
          },
        ]
      : []),
  ]
}

const restarts = (draft: PassthroughDraft) => {
  const steps = configSteps(draft)
  const none = { what: 'options', after: [], before: [] } as const
  const on = restartStep(draft, { direction: 'on', ...none })
  return steps.length === 0
    ? { back: [], steps, on: [] }
    : {
        back: [restartStep(draft, { direction: 'back', ...none })],
        steps,
        on: [
          {
            ...on,
            precondition: 'nova.conf has the new options, and the cards are bound to their driver.',
          },
        ],
      }
}

const hostSteps = (
  draft: PassthroughDraft,
  held: Held,
  awaitAlias: readonly PassthroughStep[],
): PassthroughStep[] => {
  const isWhole = draft.to === 'whole'
  const { back, steps, on } = restarts(draft)
  const types = typeDraft(draft)
  return [
    ...drainSteps(draft, held),
    ...(isWhole ? [...leftoverSteps(types), ...clearTypeSteps(draft), ...traitSteps(types).off] : []),
    ...back,
    ...steps,
    ...(isWhole ? vfSteps(draft) : []),
    ...bindSteps(draft),
    ...(isWhole ? [] : vfSteps(draft)),
    ...on,
    ...awaitAlias,
    ...(isWhole ? verifyWholeSteps(draft) : verifySlicedSteps(draft)),
    ...(isWhole ? staleSteps(types) : []),
    ...(isOpen(draft)
      ? [openStep(draft.joined, { reason: held.reason, verify: [], cards: cardTasks(draft) })]
      : []),
  ]
}

const NOTHING = { kind: 'passthrough' as const, title: '', steps: [], targets: [], flavors: [] }

/** Why nothing of the plan is done; null when it can be. */
const whyNothing = (
  preview: { flavors: readonly FlavorHosts[] },
  { isFlavorLossAccepted }: PassthroughInput,
): string | null => {
  const lost = preview.flavors.filter(({ after }) => after === 0)
  return lost.length === 0 || isFlavorLossAccepted
    ? null
    : `${listText(lost.map(({ name }) => name))} could no longer be scheduled on any host: change fewer cards, or confirm the loss`
}

export type PassthroughPlan = PlanBase<PassthroughStep['task']> & {
  kind: 'passthrough'
  /** Null: every card is refused or unchanged. */
  typeChange: TypeChangePreview | null
}

/** `planPassthrough` in steps: between two of them other work can run. */
export function* passthroughInSteps(fleet: Fleet, input: PassthroughInput): Generator<void, PassthroughPlan> {
  const parts = yield* draftPassthrough(fleet, input)
  const refusals = parts.flatMap((part) => part.refusals)
  const unchanged = parts.flatMap((part) => part.unchanged)
  const drafts = parts.flatMap(({ draft }) => draft ?? [])
  if (drafts.length === 0) return { ...NOTHING, refusals, unchanged, typeChange: null }
  const servers = yield* stuckServers(fleet, drafts)
  const preview = yield* previewPassthrough(fleet, drafts, input)
  yield
  const configs = yield* passthroughConfigs(fleet, drafts)
  const typeChange = { ...preview, servers: [...servers.values()].flat(), configs }
  const targets = drafts.flatMap(({ joined, targets: own }) =>
    own.map(({ entry }) => ({ host: joined.host.name, address: entry.pgpu.address })),
  )
  const reasonOfAll = whyNothing(preview, input)
  if (reasonOfAll !== null) {
    const left = targets.map((target) => ({ ...target, reason: reasonOfAll }))
    return { ...NOTHING, refusals: [...refusals, ...left], unchanged, typeChange }
  }
  const title = titleFor(drafts)
  const reason = closedReason(title)
  const api = readApiAliases(fleet.input.hosts, null).hosts.map(({ host }) => host)
  const aliasSteps = awaitAliasSteps(drafts, api)
  const steps: PassthroughStep[] = yield* mapInSteps(drafts.filter(isOpen), (draft) =>
    closeStep(draft.joined, { reason, verify: [], cards: cardTasks(draft) }),
  )
  for (const [index, draft] of drafts.entries()) {
    yield
    const held = { fleet, servers: servers.get(draft) ?? [], plannedAt: fleet.input.now, reason }
    steps.push(...hostSteps(draft, held, index === 0 ? aliasSteps : []))
  }
  return {
    kind: 'passthrough',
    title,
    steps,
    targets,
    refusals,
    unchanged,
    flavors: [],
    typeChange,
  }
}

/**
 * Plan for handing cards out whole, or for giving them back to the driver that slices them: close, drain, remove what is on
 * them, write both parts of nova.conf, bind, restart, verify, open. nova.conf goes before the driver, because what it gives a
 * card can be seen only while the card shows its types.
 */
export const planPassthrough = (fleet: Fleet, input: PassthroughInput): PassthroughPlan =>
  allSteps(passthroughInSteps(fleet, input))
