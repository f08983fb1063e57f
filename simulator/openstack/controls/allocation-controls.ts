import { dropConsumer, putConsumer } from '../placement/change-allocations'
import type { Consumer } from '../placement/placement-state'
import { type Control, type ControlContext, ControlError, providerOf, serverOf } from './control'

const classOf = (inventories: ReadonlyMap<string, unknown>): string => [...inventories.keys()][0] ?? 'VGPU'

const heldBy = ({ cloud }: ControlContext, uuid: string): Consumer => {
  const consumer = cloud.placement.consumers.get(uuid)
  if (consumer === undefined) throw new ControlError(`${uuid} holds nothing.`)
  return consumer
}

/** Disagreements between Placement's allocations and everybody else. */
export const allocationControls = (context: ControlContext) => {
  const { cloud } = context

  const leaveAllocation: Control = (args = {}) => {
    const provider = providerOf(context, args, { isFree: args.provider === undefined })
    const uuid = cloud.newUuid()
    putConsumer(cloud.placement, {
      uuid,
      generation: 1,
      projectId: cloud.keystone.projects[0]?.id ?? '',
      userId: cloud.keystone.users[0]?.id ?? '',
      type: 'INSTANCE',
      allocations: new Map([[provider.uuid, new Map([[classOf(provider.inventories), 1]])]]),
    })
    return `${uuid} holds one of ${provider.name}, and there is no such server`
  }

  const dropAllocation: Control = (args = {}) => {
    const server = serverOf(context, args)
    dropConsumer(cloud.placement, server.uuid)
    return `server ${server.name} (${server.uuid}) holds nothing in Placement any more`
  }

  const doubleAllocation: Control = (args = {}) => {
    const server = serverOf(context, args)
    const held = heldBy(context, server.uuid)
    const other = [...cloud.placement.providers.values()].find(
      (provider) =>
        provider.parentUuid !== null &&
        !held.allocations.has(provider.uuid) &&
        provider.rootUuid !== [...held.allocations.keys()][0],
    )
    if (other === undefined) throw new ControlError('There is no other provider.')
    const allocations = new Map(held.allocations).set(other.uuid, new Map([[classOf(other.inventories), 1]]))
    putConsumer(cloud.placement, { ...held, generation: held.generation + 1, allocations })
    return `server ${server.name} also holds one of ${other.name}`
  }

  /** What a cut short live migration leaves: the allocation stays on another host than the server. */
  const misplaceAllocation: Control = (args = {}) => {
    const server = serverOf(context, args)
    const held = heldBy(context, server.uuid)
    const root = cloud.nova.computes.find(({ host }) => host === server.host)?.uuid
    const other = [...cloud.placement.providers.values()].find(
      (provider) => provider.parentUuid !== null && provider.rootUuid !== root,
    )
    if (other === undefined) throw new ControlError('There is no other host.')
    const allocations = new Map(
      [...held.allocations].map(([uuid, resources]) => {
        if (uuid === root) return [other.rootUuid, resources] as const
        return [other.uuid, new Map([[classOf(other.inventories), 1]])] as const
      }),
    )
    putConsumer(cloud.placement, { ...held, generation: held.generation + 1, allocations })
    return `server ${server.name} runs on ${server.host}, its allocation is at ${other.name}`
  }

  return { leaveAllocation, dropAllocation, doubleAllocation, misplaceAllocation }
}
