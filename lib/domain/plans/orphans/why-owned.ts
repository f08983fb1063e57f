import type { Allocation, Server } from '@/lib/domain/cloud/types'
import { readOccupancy } from '@/lib/domain/pgpu/occupants'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { formatNoun } from '@/lib/util/format'

/** What Placement and Nova say of an mdev's parent and host, all of it read at one moment. */
export type OwnerFacts = {
  /** On the provider of the parent; empty when Placement has none. */
  allocations: readonly Allocation[]
  /** On the host, by Nova. */
  servers: readonly Server[]
  /** vGPUs that a server holds by Placement on other providers than the parent's; null: not known. */
  heldElsewhere: (serverUuid: string) => number | null
  /** vGPUs that the flavor of a server requests. */
  requested: (server: Server) => number
  /** Why Nova may not own the parent, as text; null: Nova owns it. */
  otherOwner: string | null
}

/** Between these, what Nova, Placement and libvirt say of a server may differ. */
const MOVING = ['BUILD', 'REBUILD', 'MIGRATING', 'RESIZE', 'VERIFY_RESIZE', 'REVERT_RESIZE', 'PASSWORD']

const amountOf = ({ resources }: Allocation): number =>
  Object.values(resources).reduce((sum, amount) => sum + amount, 0)

const serverName = ({ name, uuid, projectId }: Server): string => `${name} (${uuid}) of project ${projectId}`

const holderReason = (inventory: Inventory, uuid: string): string | null => {
  const { gap, byMdev, byOthers } = readOccupancy(inventory)
  if (gap !== null) return `${gap}, so some guest may name it`
  const other = byOthers.get(uuid)
  const [guest] = byMdev.get(uuid) ?? []
  if (guest === undefined)
    return other === undefined ? null : `${other.occupant.guestName} uses it, as ${other.source} shows`
  const mdev = guest.mdevs.find((entry) => entry.uuid === uuid)
  const where = [mdev?.isLive ? 'live' : null, mdev?.isPersistent ? 'persistent' : null].filter(Boolean)
  return `the guest ${guest.nova?.serverName ?? guest.name} (${guest.uuid}) names it in its ${where.join(' and ')} XML`
}

/** mdevs of a guest, on one parent or on all. */
const attached = (inventory: Inventory, guestUuid: string, parent: string | null): number => {
  const parents = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev.parent]))
  const guest = inventory.guests?.find(({ uuid }) => uuid === guestUuid)
  return (guest?.mdevs ?? []).filter(({ uuid }) => parent === null || parents.get(uuid) === parent).length
}

/** Servers of the host with fewer vGPUs attached than their flavor requests, or in transition. */
export const doubtfulServers = (
  inventory: Inventory,
  { servers, requested }: Pick<OwnerFacts, 'servers' | 'requested'>,
): Server[] =>
  servers.filter((server) => {
    const requests = requested(server)
    if (requests === 0) return false
    const isMoving = server.taskState !== null || MOVING.includes(server.status)
    return isMoving || attached(inventory, server.uuid, null) < requests
  })

const serverReason = (inventory: Inventory, facts: OwnerFacts): string | null => {
  for (const server of doubtfulServers(inventory, facts)) {
    const requested = facts.requested(server)
    const elsewhere = facts.heldElsewhere(server.uuid)
    if (elsewhere !== null && elsewhere >= requested) continue
    const state = server.taskState === null ? server.status : `${server.status}, ${server.taskState}`
    const has = attached(inventory, server.uuid, null)
    return `server ${serverName(server)} is ${state} on this host, requests ${formatNoun(requested, 'vGPU')} and its guest has ${has}: the mdev could belong to it`
  }
  return null
}

/**
 * Why an mdev may have an owner, as text. Null if no source knows an owner: no guest names it, running or shut off, every
 * allocation of its parent's provider is met by other mdevs of its holder, and every server of the host that requests
 * vGPUs has them. An unknown fact is a reason.
 */
export const whyOwned = (
  inventory: Inventory,
  { uuid, parent }: { uuid: string; parent: string },
  facts: OwnerFacts,
): string | null => {
  if (inventory.guests === null || inventory.mdevs === null)
    return 'the guests or mdevs of the host could not be read'
  if (facts.otherOwner !== null) return facts.otherOwner
  const holder = holderReason(inventory, uuid)
  if (holder !== null) return holder
  for (const allocation of facts.allocations) {
    const amount = amountOf(allocation)
    const has = attached(inventory, allocation.consumerUuid, parent)
    if (has < amount)
      return `${allocation.consumerUuid} has ${amount} allocated on ${parent} in Placement, and its guest has ${formatNoun(has, 'mdev')} there: the mdev could be its own`
  }
  return serverReason(inventory, facts)
}
