import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import { whyNotNovas } from '@/lib/domain/cloud/provider-owner'
import type { Server } from '@/lib/domain/cloud/types'
import { gpusIn, gpusOfServer } from '@/lib/domain/fit/gpu-classes'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { assignedType } from '@/lib/domain/nova-config/assign-types'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import { allSteps } from '@/lib/util/all-steps'
import { formatNoun } from '@/lib/util/format'
import { oncePer } from '@/lib/util/once-per'
import { removeMdevStep, removeMdevTask } from '../host-steps/remove-mdev-step'
import type { RemoveMdevTask } from '../host-steps/tasks'
import { malformedReason } from '../malformed/malformed'
import { malformedMdev } from '../malformed/malformed-devices'
import type { ChangeTarget, PlanBase, Step } from '../step'
import { type FollowCapacityTask, followCapacityStep } from './follow-capacity-step'
import { type OwnerFacts, whyOwned } from './why-owned'

const PARTS = ['providers', 'allocations', 'servers'] as const

/** Why the mdevs of a host cannot be judged; null: they can. */
const hostReason = (fleet: Fleet, { host, nova, root }: JoinedHost): string | null => {
  if (host.isSilent)
    return `the agent of ${host.name} has been silent since ${host.seenAt}, so a guest may hold them`
  const gap = PARTS.map((part) => cloudGap(fleet.input, part)).find((reason) => reason !== null)
  if (gap !== undefined) return `${gap}, so a server may own them`
  if (host.inventory.guests === null || host.inventory.mdevs === null)
    return 'its guests or mdevs could not be read, so a guest may hold them'
  if (nova === null || nova.gap !== null)
    return `${nova?.gap ?? 'nova.conf could not be read'}, so spare and orphaned mdevs cannot be distinguished`
  return root.value === null ? `${root.because}, so allocations cannot be read` : null
}

const isHeld = ({ host }: JoinedHost, uuid: string): boolean =>
  (host.inventory.guests ?? []).some(({ mdevs }) => mdevs.some((mdev) => mdev.uuid === uuid))

/** mdevs of a pGPU, active or only defined, of a type that nova.conf does not give their parent, that no guest names. */
const orphansOf = (joined: JoinedHost, { functions }: JoinedPgpu): Mdev[] =>
  (joined.host.inventory.mdevs ?? []).filter((mdev) => {
    if (!functions.includes(mdev.parent) || isHeld(joined, mdev.uuid)) return false
    const typeId = mdev.isActive ? mdev.typeId : (mdev.definition?.typeId ?? null)
    const wanted =
      joined.nova === null ? null : (assignedType(joined.nova.assignment, mdev.parent)?.typeId ?? null)
    return typeId !== null && typeId !== wanted
  })

/**
 * A server that is old enough for the host's last report and exists for Placement or libvirt; the reading round may be
 * outdated for others. Each step queries Nova itself.
 */
const isKnownHere = (fleet: Fleet, { host }: JoinedHost, { uuid, createdAt }: Server): boolean =>
  (createdAt === null || createdAt <= host.seenAt) &&
  (fleet.allocationsByConsumer.has(uuid) ||
    (host.inventory.guests ?? []).some((guest) => guest.uuid === uuid))

const providersByName = oncePer(
  ({ providers }: Fleet) =>
    new Map([...providers.values()].reverse().map((provider) => [provider.name, provider])),
)

/** The facts of an mdev's parent from the last reading round. */
const factsOf = (fleet: Fleet, joined: JoinedHost, parent: string): OwnerFacts => {
  const name = providerNameFor(joined, parent)
  const own = providersByName(fleet).get(name)
  const providers = new Map(
    [...joined.pgpus.flatMap((entry) => entry.providers), ...joined.strays].map(({ provider }) => [
      provider.uuid,
      provider,
    ]),
  )
  return {
    allocations: own === undefined ? [] : (fleet.allocationsByProvider.get(own.uuid) ?? []),
    servers: joined.servers.filter((server) => isKnownHere(fleet, joined, server)),
    heldElsewhere: (uuid) =>
      (fleet.allocationsByConsumer.get(uuid) ?? [])
        .filter(({ providerUuid }) => providerUuid !== own?.uuid && providers.has(providerUuid))
        .reduce((sum, { resources }) => sum + gpusIn(fleet, resources), 0),
    requested: (server) => gpusOfServer(fleet, server),
    otherOwner: whyNotNovas(fleet, joined, parent),
  }
}

type OrphanTask = RemoveMdevTask | FollowCapacityTask

type Draft = { target: ChangeTarget; steps: Step<OrphanTask>[]; reasons: string[] }

const draftPgpu = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): Draft => {
  const target = { host: joined.host.name, address: entry.pgpu.address }
  const reasons: string[] = []
  const steps = orphansOf(joined, entry).flatMap((mdev) => {
    const owner = whyOwned(joined.host.inventory, mdev, factsOf(fleet, joined, mdev.parent))
    const typeId = mdev.isActive ? mdev.typeId : mdev.definition?.typeId
    const typeName = offeredTypeName(entry.pgpu, typeId)
    const task = removeMdevTask(joined, { mdev, pgpuAddress: entry.pgpu.address, typeName })
    const malformed = malformedMdev(joined, mdev)
    if (owner !== null || task === null) {
      reasons.push(`${mdev.uuid} stays: ${owner ?? 'its type is unknown'}`)
      return []
    }
    if (malformed !== null) {
      reasons.push(malformedReason(malformed))
      return []
    }
    return [removeMdevStep(joined, task)]
  })
  const uuids = steps.flatMap(({ task }) => (task.kind === 'remove-mdev' ? [task.uuid] : []))
  return {
    target,
    reasons,
    steps: steps.length === 0 ? [] : [...steps, followCapacityStep(joined, { entry, uuids })],
  }
}

const draft = (fleet: Fleet, target: ChangeTarget): Draft => {
  const not = (reason: string): Draft => ({ target, steps: [], reasons: [reason] })
  const joined = fleet.hosts.find(({ host }) => host.name === target.host)
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === target.address)
  if (joined === undefined || entry === undefined) return not('no agent reports such a pGPU')
  const reason = hostReason(fleet, joined)
  return reason === null ? draftPgpu(fleet, joined, entry) : not(reason)
}

/** pGPUs of the fleet with orphaned mdevs or definitions, by host and address. */
export const pgpusWithOrphans = (fleet: Fleet): ChangeTarget[] =>
  fleet.hosts.flatMap((joined) =>
    joined.pgpus
      .filter((entry) => orphansOf(joined, entry).length > 0)
      .map(({ pgpu }) => ({ host: joined.host.name, address: pgpu.address })),
  )

export type OrphansPlan = PlanBase<OrphanTask> & { kind: 'orphans' }

/**
 * Plan that removes orphaned mdevs and their definitions: one step per mdev, then a check of each pGPU's capacity. An mdev
 * that may have an owner, by libvirt, Placement or Nova, is skipped with the reason.
 */
export const planOrphans = (fleet: Fleet, input: { gpus: readonly ChangeTarget[] }): OrphansPlan =>
  allSteps(orphansInSteps(fleet, input))

/** `planOrphans`, with a step per pGPU. */
export function* orphansInSteps(
  fleet: Fleet,
  { gpus }: { gpus: readonly ChangeTarget[] },
): Generator<void, OrphansPlan> {
  yield* prepareFlavors(fleet)
  const drafts: Draft[] = []
  for (const target of gpus) {
    drafts.push(draft(fleet, target))
    yield
  }
  const steps = drafts.flatMap((one) => one.steps)
  const removed = steps.filter(({ task }) => task.kind === 'remove-mdev').length
  const targets = drafts.filter((one) => one.steps.length > 0).map(({ target }) => target)
  return {
    kind: 'orphans',
    title: `${formatNoun(removed, 'orphaned mdev')} on ${formatNoun(targets.length, 'pGPU')}`,
    steps,
    targets,
    refusals: drafts.flatMap(({ target, reasons }) => reasons.map((reason) => ({ ...target, reason }))),
    unchanged: drafts
      .filter((one) => one.steps.length === 0 && one.reasons.length === 0)
      .map(({ target }) => target),
    flavors: [],
  }
}
