import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { isAtLeast } from '@/lib/domain/cloud/version'
import { listText, plural } from '@/lib/domain/wording'
import { createTraitStep } from '../create-trait-step'
import type { ChangeTarget, Plan, PlannedStep } from '../types'
import { classInLayout, isSameLayout, layoutAfter } from './host-layout'
import { awaitEmptyStep, awaitOfferStep, restartStep, writeConfigStep } from './host-steps'
import { leftoverSteps } from './leftover-steps'
import { staleSteps, traitSteps, verifyStep, verifyTasks } from './placement-steps'
import { flavorHosts, type HostDraft, limitChanges, typeCapacities } from './preview'
import { previewConfigs } from './preview-configs'
import { previewHost } from './preview-host'
import { type HeldPgpu, readHost, refusePgpu } from './refuse'
import { closedReason, closeStep, drainStep, openStep } from './service-steps'
import { type Asked, type StuckServer, stuckServers } from './stuck-servers'

export type TypeChangeInput = {
  gpus: readonly ChangeTarget[]
  typeId: string
  /** For a type that a host does not have yet; null: VGPU. */
  resourceClass: string | null
  /** How the operator names traits beside the usual ways; see traitOfType. */
  rule: string
  /** Flavors may lose their last host. */
  isFlavorLossAccepted: boolean
  /** pGPUs of active changes. */
  held: readonly HeldPgpu[]
}

type Refusal = ChangeTarget & { reason: string }
type HostPlan = { draft: HostDraft | null; refusals: Refusal[]; unchanged: ChangeTarget[] }

const isThere = ({ pgpu }: JoinedPgpu, typeId: string): boolean =>
  pgpu.configuredType?.typeId === typeId && pgpu.currentType?.typeId === typeId

const draftHost = (
  fleet: Fleet,
  { joined, addresses, input }: { joined: JoinedHost; addresses: readonly string[]; input: TypeChangeInput },
): HostPlan => {
  const { typeId, resourceClass, rule, held } = input
  const host = joined.host.name
  const at = (address: string): ChangeTarget => ({ host, address })
  const read = readHost(fleet, joined)
  if (read.layout === null)
    return {
      draft: null,
      refusals: addresses.map((address) => ({ ...at(address), reason: read.reason })),
      unchanged: [],
    }
  const refusals: Refusal[] = []
  const unchanged: ChangeTarget[] = []
  const targets: HostDraft['targets'][number][] = []
  for (const address of addresses) {
    const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
    const to = entry?.pgpu.supportedTypes?.find((type) => type.typeId === typeId)
    if (entry !== undefined && isThere(entry, typeId)) unchanged.push(at(address))
    else {
      const reason =
        entry === undefined
          ? 'no agent reports such a pGPU'
          : refusePgpu(fleet, joined, { entry, typeId, held })
      if (reason !== null) refusals.push({ ...at(address), reason })
      else if (entry !== undefined && to !== undefined) targets.push({ entry, to })
    }
  }
  if (targets.length === 0) return { draft: null, refusals, unchanged }
  const after = layoutAfter(joined, read.layout, {
    targets: targets.map(({ entry }) => entry),
    typeId,
    resourceClass,
    hasMaxInstances: isAtLeast(fleet.input.facts.versions.nova, '2.96') === true,
  })
  const draft: HostDraft = { joined, before: read.layout, after, targets, rule }
  const reason = layoutReason(draft, input)
  return reason === null
    ? { draft, refusals, unchanged }
    : {
        draft: null,
        refusals: [...refusals, ...targets.map(({ entry }) => ({ ...at(entry.pgpu.address), reason }))],
        unchanged,
      }
}

/** Why the host's configuration can't become that; null when it can. */
const layoutReason = (
  { joined, before, after }: HostDraft,
  { typeId, resourceClass }: TypeChangeInput,
): string | null => {
  const isKnown = before.parents.some((parent) => parent.typeId === typeId)
  const now = classInLayout(before, typeId)
  if (isKnown && resourceClass !== null && resourceClass !== now)
    return `${typeId} is ${now} on other pGPUs of ${joined.host.name}, and a class that changes while it is allocated keeps nova-compute from starting: leave the class as it is`
  return isSameLayout(before, after)
    ? 'nova.conf gives it this type already; mdevs of another type hold it: remove these'
    : null
}

const drafts = (fleet: Fleet, input: TypeChangeInput): HostPlan[] => {
  const byHost = groupBy(input.gpus, ({ host }) => host)
  return [...byHost].map(([name, gpus]) => {
    const joined = fleet.hosts.find(({ host }) => host.name === name)
    if (joined !== undefined)
      return draftHost(fleet, { joined, addresses: gpus.map(({ address }) => address), input })
    const refusals = gpus.map((gpu) => ({ ...gpu, reason: 'no agent reports such a host' }))
    return { draft: null, refusals, unchanged: [] }
  })
}

const titleFor = (found: readonly HostDraft[]): string => {
  const targets = found.flatMap(({ targets: own }) => own)
  const to = targets[0]?.to.shortName ?? ''
  const from = [...new Set(targets.flatMap(({ entry }) => entry.pgpu.currentType?.shortName ?? []))]
  const hosts = found.map(({ joined }) => joined.host.name)
  const where = listText(hosts)
  return `${from.length === 0 ? to : `${listText(from)} to ${to}`} on ${plural(targets.length, 'pGPU', 'pGPUs')} of ${where}`
}

const isOpen = ({ joined }: HostDraft): boolean => joined.service.value?.status === 'enabled'

const hostSteps = (
  draft: HostDraft,
  { servers, reason, plannedAt }: { servers: readonly StuckServer[]; reason: string; plannedAt: string },
): PlannedStep[] => {
  const verify = verifyTasks(draft)
  const traits = traitSteps(draft)
  const typeOf = (address: string): string =>
    draft.targets.find(({ entry }) => entry.pgpu.address === address)?.entry.pgpu.currentType?.shortName ??
    'an old type'
  return [
    ...servers.map((server) =>
      drainStep(draft.joined, { server, typeName: typeOf(server.address), plannedAt }),
    ),
    awaitEmptyStep(draft),
    ...leftoverSteps(draft),
    awaitOfferStep(draft),
    ...traits.off,
    restartStep(draft, 'back'),
    writeConfigStep(draft),
    restartStep(draft, 'on'),
    ...verify.map(verifyStep),
    ...traits.on,
    ...staleSteps(draft),
    ...(isOpen(draft) ? [openStep(draft.joined, { reason, verify })] : []),
  ]
}

const NOTHING = { title: '', steps: [], targets: [], flavors: [] }

/**
 * Plan for giving pGPUs another vGPU type, in the safe order (reference 1.6): close, drain, remove what is left, write
 * nova.conf, restart, verify, tag again, open. All hosts are closed before the first is drained, so that no server moves
 * from one to the next. What can't be done is refused with its reason before anything is touched.
 */
export const planTypeChange = (fleet: Fleet, input: TypeChangeInput): Plan => {
  const plans = drafts(fleet, input)
  const refusals = plans.flatMap((plan) => plan.refusals)
  const unchanged = plans.flatMap((plan) => plan.unchanged)
  const found = plans.flatMap(({ draft }) => (draft === null ? [] : [draft]))
  if (found.length === 0) return { ...NOTHING, refusals, unchanged, typeChange: null }
  const asked: Asked = { fits: new Map(), matrices: new Map() }
  const avoid = new Set(found.map(({ joined }) => joined.host.name))
  const servers = found.map((draft) =>
    draft.targets.flatMap(({ entry }) => stuckServers(fleet, draft.joined, { entry, avoid }, asked)),
  )
  const flavors = flavorHosts(fleet, found)
  const lost = flavors.filter(({ after }) => after === 0)
  const typeChange = {
    toTypeId: input.typeId,
    toTypeName: found[0]?.targets[0]?.to.shortName ?? input.typeId,
    capacities: typeCapacities(fleet, found),
    hosts: found.map(previewHost),
    servers: servers.flat(),
    flavors,
    limits: limitChanges(fleet, found),
    configs: previewConfigs(fleet, found),
  }
  if (lost.length > 0 && !input.isFlavorLossAccepted) {
    const reason = `${listText(lost.map(({ name }) => name))} could land on no host any more: change fewer pGPUs, or confirm that`
    const left = found.flatMap(({ joined, targets }) =>
      targets.map(({ entry }) => ({ host: joined.host.name, address: entry.pgpu.address, reason })),
    )
    return { ...NOTHING, refusals: [...refusals, ...left], unchanged, typeChange }
  }
  const title = titleFor(found)
  const reason = closedReason(title)
  const plannedAt = fleet.input.now
  const traits = [...new Set(found.flatMap((draft) => traitSteps(draft).traits))].toSorted()
  return {
    title,
    steps: [
      ...traits.map(createTraitStep),
      ...found.filter(isOpen).map(({ joined }) => closeStep(joined, reason)),
      ...found.flatMap((draft, place) =>
        hostSteps(draft, { servers: servers[place] ?? [], reason, plannedAt }),
      ),
    ],
    targets: found.flatMap(({ joined, targets }) =>
      targets.map(({ entry }) => ({ host: joined.host.name, address: entry.pgpu.address })),
    ),
    refusals,
    unchanged,
    flavors: [],
    typeChange,
  }
}
