import 'server-only'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { whyNotNovas } from '@/lib/domain/cloud/provider-owner'
import type { Server } from '@/lib/domain/cloud/types'
import { gpusIn, gpusOfServer } from '@/lib/domain/fit/gpu-classes'
import type { RemoveMdevTask } from '@/lib/domain/plans/host-steps/tasks'
import { doubtfulServers, type OwnerFacts, whyOwned } from '@/lib/domain/plans/orphans/why-owned'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import { definitionText, readDefinitionText } from '@/lib/schemas/agent/mdev-definition'
import { blocked, GOES_ON, unreadable } from './blocked'
import { providerByName } from './provider-by-name'
import type { CheckResult, HostHandler, StepTools } from './step-work'

/** The owners that Placement and Nova report now; null: Nova did not list all servers of the host. */
const readOwners = async (
  tools: StepTools,
  { providerName, service, parent }: RemoveMdevTask,
  { joined, fleet }: { joined: JoinedHost; fleet: Fleet },
): Promise<OwnerFacts | null> => {
  const { placement, nova } = tools
  const { inventory } = joined.host
  const requested = (server: Server) => gpusOfServer(fleet, server)
  const provider = await providerByName(tools, providerName)
  const allocations = provider === null ? [] : (await placement.getAllocations(provider.uuid)).allocations
  const { items, isComplete } = await nova.listServers({ host: service })
  if (!isComplete) return null
  const servers = items.filter(({ isDeleted }) => !isDeleted)
  const elsewhere = new Map<string, number>()
  for (const { uuid } of doubtfulServers(inventory, { servers, requested })) {
    const held = (await placement.getConsumer(uuid)).allocations.filter(
      ({ providerUuid }) => providerUuid !== provider?.uuid,
    )
    elsewhere.set(
      uuid,
      held.reduce((sum, { resources }) => sum + gpusIn(fleet, resources), 0),
    )
  }
  return {
    allocations,
    servers,
    heldElsewhere: (uuid) => elsewhere.get(uuid) ?? null,
    requested,
    // Traits of owners are those of the last reading, so it must not be an old one.
    otherOwner: cloudGap(fleet.input, 'providers') ?? whyNotNovas(fleet, joined, parent),
  }
}

/** Why it is not the mdev that the plan saw; null: it is. */
const otherMdev = (mdev: Mdev, { uuid, parent, typeId }: RemoveMdevTask): string | null => {
  const now = mdev.isActive ? mdev.typeId : (mdev.definition?.typeId ?? null)
  if (mdev.parent !== parent) return `mdev ${uuid} is on ${mdev.parent}, but was on ${parent} at planning.`
  return now === typeId ? null : `mdev ${uuid} has ${now ?? 'no known type'}, but had ${typeId} at planning.`
}

const check = async (tools: StepTools, task: RemoveMdevTask): Promise<CheckResult> => {
  const { host, uuid } = task
  const now = await tools.hostNow(host)
  if (now.joined === null) return unreadable(host, now.reason)
  const { joined } = now
  const { inventory, seenAt } = joined.host
  if (inventory.mdevs === null) return unreadable(host, 'its mdevs could not be read')
  const mdev = inventory.mdevs.find((one) => one.uuid === uuid)
  if (mdev === undefined)
    return { state: 'holds', answer: `${host} no longer has the mdev ${uuid}, as of ${seenAt}.` }
  const other = otherMdev(mdev, task)
  if (other !== null) return blocked(other)
  const facts = await readOwners(tools, task, now)
  if (facts === null) return blocked(`Nova did not list all servers of ${task.service}.`, GOES_ON)
  const owner = whyOwned(inventory, task, facts)
  if (owner !== null)
    return blocked(
      `mdev ${uuid} is kept: ${owner}.`,
      `Skip the step, or resolve this first. See the findings of ${host}. ${GOES_ON}`,
    )
  return {
    state: 'ready',
    intent: { uuid, isActive: mdev.isActive, start: mdev.definition?.start ?? null },
  }
}

type Seen = Pick<RemoveMdevTask, 'isActive' | 'start'>

/** As it was right before the step. */
const seenBefore = (task: RemoveMdevTask, intent: Readonly<Record<string, unknown>>): Seen => ({
  isActive: typeof intent.isActive === 'boolean' ? intent.isActive : task.isActive,
  start: intent.start === 'auto' || intent.start === 'manual' ? intent.start : null,
})

const isBack = (mdev: Mdev | undefined, task: RemoveMdevTask, { isActive, start }: Seen): boolean =>
  mdev !== undefined &&
  otherMdev(mdev, task) === null &&
  (mdev.isActive || !isActive) &&
  (mdev.definition !== null || start === null)

const checkUndo: HostHandler<RemoveMdevTask>['checkUndo'] = async (tools, task, intent) => {
  const { host, uuid, parent, typeId, typeName } = task
  if (task.isForGood === true)
    return { state: 'holds', answer: `mdev ${uuid} was unattached, and is not recreated.` }
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  if (joined.host.inventory.mdevs === null) return unreadable(host, 'its mdevs could not be read')
  const mdev = joined.host.inventory.mdevs.find((one) => one.uuid === uuid)
  const before = seenBefore(task, intent)
  if (isBack(mdev, task, before))
    return { state: 'holds', answer: `${host} has the mdev ${uuid} on ${parent} as before.` }
  const other = mdev === undefined ? null : otherMdev(mdev, task)
  const device = joined.host.inventory.gpus
    .flatMap((gpu) => [gpu, ...gpu.virtualFunctions])
    .find(({ address }) => address === parent)
  const offer = device?.mdevTypes?.find(
    ([index]) => joined.host.inventory.vgpuTypes[index]?.typeId === typeId,
  )
  const free = offer?.[1] ?? 0
  const why =
    other ??
    (before.isActive && mdev?.isActive !== true && free === 0
      ? `${parent} has no capacity for another ${typeName} (${typeId}): other vGPUs fill the pGPU or have another size.`
      : null)
  return why === null
    ? { state: 'ready', intent }
    : blocked(
        `The step cannot be undone: ${why}`,
        `Free ${parent}, or skip the step: the mdev was an orphan that Nova never used. ${GOES_ON}`,
      )
}

/** Whether the removed file held more than type and start, which no agent recreates. */
const hadMore = (previous: string | null): boolean =>
  previous !== null && readDefinitionText(previous).kind !== 'plain'

/** Destroys and undefines an orphan; reverted by creating and defining it again. */
export const removeMdevHandler: HostHandler<RemoveMdevTask> = {
  by: 'host',
  check,
  checkUndo,
  command: ({ uuid, typeId, parent }) => ({ name: 'remove-mdev', uuid, typeId, parentAddress: parent }),
  undoCommand: (task, { intent, previous }) => {
    const { uuid, typeId, parent } = task
    const { isActive, start } = seenBefore(task, intent)
    if (start !== null && hadMore(previous))
      return {
        byHand: `The definition of mdev ${uuid} held more than its type and start, such as attributes, and an agent recreates only these. Define it on ${task.host} with "mdevctl define --jsonfile".`,
      }
    const definition = start === null ? null : definitionText({ typeId, start })
    return { name: 'create-mdev', uuid, typeId, parentAddress: parent, isActive, definition }
  },
}
