import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { listText } from '@/lib/domain/wording'
import { allSteps } from '@/lib/util/all-steps'
import { formatNoun } from '@/lib/util/format'
import { mapInSteps } from '@/lib/util/map-in-steps'
import { type CreateTraitTask, createTraitStep } from '../create-trait-step'
import { awaitEmptyStep, awaitOfferStep, restartStep, writeConfigStep } from '../host-steps/host-steps'
import { leftoverSteps } from '../host-steps/leftover-steps'
import { formerTasks, staleSteps, verifyStep, verifyTasks } from '../host-steps/placement-steps'
import {
  type ChangedHosts,
  type FlavorHosts,
  flavorHosts,
  type HostDraft,
  type HostTargets,
  hostAfter,
  limitChanges,
  movesAfter,
  typeCapacities,
} from '../host-steps/preview'
import { previewConfigs } from '../host-steps/preview-configs'
import { previewHost, type TypeChangePreview } from '../host-steps/preview-host'
import { closedReason, closeStep, drainStep, openStep, reopenStep } from '../host-steps/service-steps'
import { moveSupport, type StuckServer, stuckServers } from '../host-steps/stuck-servers'
import type { HostTask, VerifyTask } from '../host-steps/tasks'
import { traitSteps } from '../host-steps/trait-steps'
import { traitAfter } from '../host-steps/type-traits-after'
import { aliasFlavorHosts } from '../host-steps/vfio/alias-devices'
import type { VfioDraft } from '../host-steps/vfio/vfio-draft'
import {
  changesPci,
  setTypeSteps,
  verifyVfioStep,
  vfioFormerTasks,
  vfioVerifyTasks,
  writePciStep,
} from '../host-steps/vfio/vfio-steps'
import { vfioConfigs } from '../host-steps/vfio/vfio-texts'
import { isSameKeeping, type KeepTraitsTask, keepTraitsStep } from '../managed-traits/keep-traits-step'
import { managedOnPgpu } from '../managed-traits/plan-keeping'
import type { PlanBase, Step } from '../step'
import { draftHosts, type TypeChangeInput } from './draft-hosts'
import {
  flavorOfTest,
  stepsBeforeTest,
  type TestBootInput,
  testBootSteps,
  whyNoTestBoot,
} from './test-boot-steps'
import { previewVfioHost, vfioHostAfter } from './vfio-preview'

/**
 * What the console keeps on a pGPU follows its type: the trait of the new type is kept where that of the old one was, those
 * of others stay kept, and what no provider will carry is kept no longer.
 */
const keepingSteps = (fleet: Fleet, draft: HostDraft): Step<KeepTraitsTask>[] => {
  const { joined, targets, rule } = draft
  const rootName = joined.root.value?.name
  if (rootName === undefined) return []
  return targets.flatMap((target) => {
    const { entry, to } = target
    const before = managedOnPgpu(fleet, { joined, entry })
    const managed = new Set(before.map(({ trait }) => traitAfter(trait, entry, { to, rule }) ?? trait))
    const { typeId, shortName: typeName } = to
    const after = movesAfter(draft, target).flatMap(({ address, name, move }) =>
      [...move.on, ...move.foreign]
        .filter((trait) => managed.has(trait))
        .map((trait) => ({ address, providerName: name, trait, typeId, typeName })),
    )
    if (isSameKeeping(before, after)) return []
    const pgpu = { host: joined.host.name, pgpuAddress: entry.pgpu.address, rootName }
    return [keepTraitsStep({ kind: 'keep-traits', ...pgpu, before, after })]
  })
}

const titleFor = (found: readonly HostTargets[]): string => {
  const targets = found.flatMap(({ targets: own }) => own)
  const to = targets[0]?.to.shortName ?? ''
  const from = [...new Set(targets.flatMap(({ entry }) => entry.pgpu.currentType?.shortName ?? []))]
  const hosts = found.map(({ joined }) => joined.host.name)
  const where = listText(hosts)
  return `${from.length === 0 ? to : `${listText(from)} to ${to}`} on ${formatNoun(targets.length, 'pGPU')} of ${where}`
}

const isOpen = ({ joined }: HostTargets): boolean => joined.service.value?.status === 'enabled'

type TypeChangeTask = HostTask | KeepTraitsTask | CreateTraitTask
type TypeChangeStep = Step<TypeChangeTask>

type Held = {
  fleet: Fleet
  servers: readonly StuckServer[]
  reason: string
  plannedAt: string
  test: { input: TestBootInput; flavor: Flavor } | null
}

const drainSteps = (draft: HostTargets, { fleet, servers, plannedAt }: Held): TypeChangeStep[] => [
  ...servers.map((server) => {
    const entry = draft.targets.find((target) => target.entry.pgpu.address === server.address)?.entry
    const typeName = entry?.pgpu.currentType?.shortName ?? 'an old type'
    const support = moveSupport(fleet, { way: server.way, entry })
    return drainStep(draft.joined, { server, typeName, plannedAt, support })
  }),
  awaitEmptyStep(draft),
]

const openSteps = (draft: HostTargets, held: Held, verify: readonly VerifyTask[]): TypeChangeStep[] => {
  if (!isOpen(draft)) return []
  const { reason, plannedAt, test } = held
  const open = openStep(draft.joined, { reason, verify })
  if (test === null) return [open]
  return [
    ...stepsBeforeTest(draft, verify),
    open,
    ...testBootSteps(draft, { tasks: verify, plan: { ...test, plannedAt, reason } }),
    reopenStep(open),
  ]
}

const mdevSteps = (draft: HostDraft, held: Held): TypeChangeStep[] => {
  const [after, before] = [verifyTasks(draft), formerTasks(draft)]
  const traits = traitSteps(draft)
  return [
    ...drainSteps(draft, held),
    ...leftoverSteps(draft),
    awaitOfferStep(draft),
    ...traits.off,
    restartStep(draft, { direction: 'back', after, before }),
    writeConfigStep(draft),
    restartStep(draft, { direction: 'on', after, before }),
    ...after.map(verifyStep),
    ...traits.on,
    ...keepingSteps(held.fleet, draft),
    ...staleSteps(draft),
    ...openSteps(draft, held, after),
  ]
}

const vfioSteps = (draft: VfioDraft, held: Held): TypeChangeStep[] => {
  const [after, before] = [vfioVerifyTasks(draft), vfioFormerTasks(draft)]
  return [
    ...drainSteps(draft, held),
    ...setTypeSteps(draft.joined, draft.targets),
    ...(changesPci(draft)
      ? [
          restartStep(draft, { direction: 'back', after, before }),
          writePciStep(draft),
          restartStep(draft, { direction: 'on', after, before }),
        ]
      : []),
    ...after.map(verifyVfioStep),
    ...openSteps(draft, held, after),
  ]
}

const NOTHING = { kind: 'type' as const, title: '', steps: [], targets: [], flavors: [] }

type Found = { mdev: HostDraft[]; vfio: VfioDraft[]; all: HostTargets[] }

const changedHosts = ({ mdev, vfio }: Found): ChangedHosts =>
  new Map([
    ...mdev.map((draft) => [draft.joined, hostAfter(draft)] as const),
    ...vfio.map((draft) => [draft.joined, vfioHostAfter(draft)] as const),
  ])

function* previewOf(fleet: Fleet, { mdev, vfio, all }: Found, input: TypeChangeInput) {
  const changed = changedHosts({ mdev, vfio, all })
  const ofClasses = yield* flavorHosts(fleet, changed)
  const hosts = [...(yield* mapInSteps(mdev, previewHost)), ...(yield* mapInSteps(vfio, previewVfioHost))]
  const ofAliases = aliasFlavorHosts(fleet, new Map(vfio.map(({ joined, after }) => [joined, after])))
  yield
  const limits = limitChanges(fleet, changed)
  yield
  const configs = mdev.length > 0 ? previewConfigs(fleet, mdev) : vfioConfigs(vfio)
  yield
  return {
    toTypeId: input.typeId,
    toTypeName: all[0]?.targets[0]?.to.shortName ?? input.typeId,
    capacities: typeCapacities(fleet, all),
    hosts,
    flavors: [...ofClasses, ...ofAliases].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    limits,
    configs,
  }
}

const testOf = (fleet: Fleet, { testBoot }: TypeChangeInput) =>
  testBoot == null ? null : { input: testBoot, flavor: flavorOfTest(fleet, testBoot) }

/** Why nothing of the whole plan is done; null when it can be. */
const whyNothing = (
  fleet: Fleet,
  found: Found,
  {
    preview,
    input,
    test,
  }: {
    preview: { flavors: readonly FlavorHosts[]; toTypeName: string }
    input: TypeChangeInput
    test: ReturnType<typeof testOf>
  },
): string | null => {
  const lost = preview.flavors.filter(({ after }) => after === 0)
  if (lost.length > 0 && !input.isFlavorLossAccepted)
    return `${listText(lost.map(({ name }) => name))} could no longer be scheduled on any host: change fewer pGPUs, or confirm the loss`
  if (test === null) return null
  const closed = found.all.filter((draft) => !isOpen(draft)).map(({ joined }) => joined.host.name)
  if (closed.length > 0)
    return `nova-compute of ${listText(closed)} is disabled and stays disabled, and Nova schedules no server there: omit the test boot, or enable the service first`
  if (test.flavor === null)
    return `Nova has no flavor ${test.input.flavorId} for the test boot: choose another, or none`
  return whyNoTestBoot(fleet, changedHosts(found), { flavor: test.flavor, typeName: preview.toTypeName })
}

export type TypeChangePlan = PlanBase<TypeChangeTask> & {
  kind: 'type'
  /** Null: every pGPU is refused or unchanged. */
  typeChange: TypeChangePreview | null
}

/** `planTypeChange` in steps: between two of them other work can run. */
export function* typeChangeInSteps(fleet: Fleet, input: TypeChangeInput): Generator<void, TypeChangePlan> {
  const plans = yield* draftHosts(fleet, input)
  const refusals = plans.flatMap((plan) => plan.refusals)
  const unchanged = plans.flatMap((plan) => plan.unchanged)
  const mdev = plans.flatMap(({ draft }) => draft ?? [])
  const vfio = plans.flatMap((plan) => plan.vfio ?? [])
  const all: HostTargets[] = [...mdev, ...vfio]
  if (all.length === 0) return { ...NOTHING, refusals, unchanged, typeChange: null }
  const servers = yield* stuckServers(fleet, all)
  const preview = yield* previewOf(fleet, { mdev, vfio, all }, input)
  const typeChange = { ...preview, servers: [...servers.values()].flat() }
  const targets = all.flatMap(({ joined, targets: own }) =>
    own.map(({ entry }) => ({ host: joined.host.name, address: entry.pgpu.address })),
  )
  const test = testOf(fleet, input)
  const reasonOfAll = whyNothing(fleet, { mdev, vfio, all }, { preview, input, test })
  if (reasonOfAll !== null) {
    const reason = reasonOfAll
    const left = targets.map((target) => ({ ...target, reason }))
    return { ...NOTHING, refusals: [...refusals, ...left], unchanged, typeChange }
  }
  const title = titleFor(all)
  const reason = closedReason(title)
  const heldBy = (draft: HostTargets): Held => ({
    fleet,
    servers: servers.get(draft) ?? [],
    reason,
    plannedAt: fleet.input.now,
    test: test?.flavor == null ? null : { input: test.input, flavor: test.flavor },
  })
  const close = ({ joined }: HostTargets, verify: readonly VerifyTask[]) =>
    closeStep(joined, { reason, verify })
  const traits = yield* mapInSteps(mdev, (draft) => traitSteps(draft).traits)
  const steps: TypeChangeStep[] = [
    ...[...new Set(traits.flat())].toSorted().map(createTraitStep),
    ...(yield* mapInSteps(mdev.filter(isOpen), (draft) => close(draft, verifyTasks(draft)))),
    ...(yield* mapInSteps(vfio.filter(isOpen), (draft) => close(draft, vfioVerifyTasks(draft)))),
  ]
  for (const draft of mdev) {
    yield
    steps.push(...mdevSteps(draft, heldBy(draft)))
  }
  for (const draft of vfio) {
    yield
    steps.push(...vfioSteps(draft, heldBy(draft)))
  }
  return {
    kind: 'type',
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
 * Plan for giving pGPUs another vGPU type, in the safe order: close, drain, remove what is left, write
 * nova.conf, restart, verify, tag again, open. All hosts are closed before the first is drained, so that no server moves
 * from one to the next. What can't be done is refused with its reason before anything is touched.
 */
export const planTypeChange = (fleet: Fleet, input: TypeChangeInput): TypeChangePlan =>
  allSteps(typeChangeInSteps(fleet, input))
