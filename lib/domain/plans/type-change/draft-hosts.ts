import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { classInLayout, type HostLayout, isSameLayout, layoutAfter } from '../host-steps/host-layout'
import type { HostDraft } from '../host-steps/preview'
import { type HeldPgpu, readHost, refusePgpu } from '../host-steps/refuse'
import { whyNotAliases } from '../host-steps/vfio/alias-refusal'
import { draftVfio, type VfioDraft } from '../host-steps/vfio/vfio-draft'
import { wantedTypes } from '../host-steps/vfio/wanted-types'
import type { ChangeTarget } from '../step'
import type { TestBootInput } from './test-boot-steps'

export type TypeChangeInput = {
  gpus: readonly ChangeTarget[]
  typeId: string
  /** For a type that a host does not have yet; null: VGPU. */
  resourceClass: string | null
  /** How the operator names traits, in addition to the usual ways; see traitOfType. */
  rule: string
  /** Flavors may lose their last host. */
  isFlavorLossAccepted: boolean
  /** pGPUs of active changes. */
  held: readonly HeldPgpu[]
  /** A server that is booted on each host at the end, and deleted again. */
  testBoot?: TestBootInput | null
}

type Refusal = ChangeTarget & { reason: string }
type HostPlan = {
  draft: HostDraft | null
  vfio: VfioDraft | null
  refusals: Refusal[]
  unchanged: ChangeTarget[]
}

const isThere = ({ pgpu }: JoinedPgpu, typeId: string): boolean =>
  pgpu.framework !== 'vendor-vfio' &&
  pgpu.configuredType?.typeId === typeId &&
  pgpu.currentType?.typeId === typeId

type Target = HostDraft['targets'][number]
type Sorted = Pick<HostPlan, 'refusals' | 'unchanged'> & { targets: Target[] }

const sortTargets = (
  fleet: Fleet,
  { joined, addresses, input }: { joined: JoinedHost; addresses: readonly string[]; input: TypeChangeInput },
): Sorted => {
  const { typeId, held, rule } = input
  const sorted: Sorted = { refusals: [], unchanged: [], targets: [] }
  for (const address of addresses) {
    const at = { host: joined.host.name, address }
    const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
    const to =
      entry === undefined ? undefined : wantedTypes(entry.pgpu).find((type) => type.typeId === typeId)
    if (entry !== undefined && isThere(entry, typeId)) {
      sorted.unchanged.push(at)
      continue
    }
    const reason =
      entry === undefined
        ? 'no agent reports such a pGPU'
        : refusePgpu(fleet, joined, { entry, typeId, rule, held })
    if (reason !== null) sorted.refusals.push({ ...at, reason })
    else if (entry !== undefined && to !== undefined) sorted.targets.push({ entry, to })
  }
  return sorted
}

const draftMdevs = (
  fleet: Fleet,
  {
    joined,
    before,
    targets,
    input,
  }: { joined: JoinedHost; before: HostLayout; targets: readonly Target[]; input: TypeChangeInput },
): Pick<HostPlan, 'draft' | 'refusals'> => {
  if (targets.length === 0) return { draft: null, refusals: [] }
  const after = layoutAfter(joined, before, {
    targets: targets.map(({ entry }) => entry),
    typeId: input.typeId,
    resourceClass: input.resourceClass,
    hasMaxInstances: rangeHas(hostRange(fleet, joined), 'maxInstances') === true,
  })
  const draft: HostDraft = { joined, before, after, targets, rule: input.rule }
  const reason = layoutReason(draft, input)
  if (reason === null) return { draft, refusals: [] }
  const host = joined.host.name
  return {
    draft: null,
    refusals: targets.map(({ entry }) => ({ host, address: entry.pgpu.address, reason })),
  }
}

const TWO_WAYS =
  'this host has cards with mdevs and cards with vendor VFIO, and both support the type: change them one after the other'

const draftHost = (
  fleet: Fleet,
  { joined, addresses, input }: { joined: JoinedHost; addresses: readonly string[]; input: TypeChangeInput },
): HostPlan => {
  const host = joined.host.name
  const read = readHost(fleet, joined)
  if (read.layout === null)
    return {
      draft: null,
      vfio: null,
      refusals: addresses.map((address) => ({ host, address, reason: read.reason })),
      unchanged: [],
    }
  const { targets, refusals, unchanged } = sortTargets(fleet, { joined, addresses, input })
  const isVfio = ({ entry }: Target) => entry.pgpu.framework === 'vendor-vfio'
  const mdevTargets = targets.filter((target) => !isVfio(target))
  const vfioTargets = targets.filter(isVfio)
  const mdevs = draftMdevs(fleet, { joined, before: read.layout, targets: mdevTargets, input })
  const found = [...refusals, ...mdevs.refusals]
  if (mdevTargets.length > 0)
    return {
      draft: mdevs.draft,
      vfio: null,
      refusals: [
        ...found,
        ...vfioTargets.map(({ entry }) => ({ host, address: entry.pgpu.address, reason: TWO_WAYS })),
      ],
      unchanged,
    }
  const vfio = draftVfio(joined, { targets: vfioTargets, resourceClass: input.resourceClass })
  const reason = vfio.draft === null ? null : whyNotAliases(fleet, joined, vfio.draft)
  const refused =
    reason === null
      ? []
      : (vfio.draft?.targets ?? []).map(({ entry }) => ({ address: entry.pgpu.address, reason }))
  return {
    draft: null,
    vfio: reason === null ? vfio.draft : null,
    refusals: [...found, ...[...vfio.refusals, ...refused].map((refusal) => ({ host, ...refusal }))],
    unchanged: [...unchanged, ...vfio.unchanged.map((address) => ({ host, address }))],
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
    return `${typeId} is ${now} on other pGPUs of ${joined.host.name}, and nova-compute does not start if a class changes while it is allocated: keep the class`
  return isSameLayout(before, after)
    ? 'nova.conf already assigns this type to the card, but mdevs of another type lock it: remove these mdevs'
    : null
}

/** What the chosen pGPUs of each host become, and which of them are skipped, host by host. */
export function* draftHosts(fleet: Fleet, input: TypeChangeInput): Generator<void, HostPlan[]> {
  const byHost = groupBy(input.gpus, ({ host }) => host)
  const plans: HostPlan[] = []
  for (const [name, gpus] of byHost) {
    yield
    const joined = fleet.hosts.find(({ host }) => host.name === name)
    if (joined !== undefined)
      plans.push(draftHost(fleet, { joined, addresses: gpus.map(({ address }) => address), input }))
    else {
      const refusals = gpus.map((gpu) => ({ ...gpu, reason: 'no agent reports such a host' }))
      plans.push({ draft: null, vfio: null, refusals, unchanged: [] })
    }
  }
  return plans
}
