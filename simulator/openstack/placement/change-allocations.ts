import { ApiError } from '../http/api-error'
import { type Consumer, capacityOf, type PlacementState, usedOf } from './placement-state'

const holderSet = (state: PlacementState, providerUuid: string): Set<string> => {
  const present = state.holders.get(providerUuid)
  if (present !== undefined) return present
  const fresh = new Set<string>()
  state.holders.set(providerUuid, fresh)
  return fresh
}

/** Takes a consumer's allocations away without asking. */
export const dropConsumer = (state: PlacementState, uuid: string): void => {
  const consumer = state.consumers.get(uuid)
  if (consumer === undefined) return
  for (const providerUuid of consumer.allocations.keys()) state.holders.get(providerUuid)?.delete(uuid)
  state.consumers.delete(uuid)
}

/** Puts a consumer's allocations in place of what it had, without asking for room. Bumps the providers' generations. */
export const putConsumer = (state: PlacementState, consumer: Consumer): void => {
  dropConsumer(state, consumer.uuid)
  if (consumer.allocations.size === 0) return
  state.consumers.set(consumer.uuid, consumer)
  for (const providerUuid of consumer.allocations.keys()) {
    holderSet(state, providerUuid).add(consumer.uuid)
    const provider = state.providers.get(providerUuid)
    if (provider !== undefined) provider.generation += 1
  }
}

const unable = (name: string, providerUuid: string, why: string): ApiError =>
  new ApiError(
    409,
    `Unable to allocate inventory: Unable to create allocation for '${name}' on resource provider '${providerUuid}'. ${why}`,
  )

/** Refuses what the providers can't take in addition to the other allocations. */
export const checkCapacity = (state: PlacementState, consumer: Consumer): void => {
  const own = state.consumers.get(consumer.uuid)
  for (const [providerUuid, resources] of consumer.allocations) {
    const provider = state.providers.get(providerUuid)
    const used = usedOf(state, providerUuid)
    for (const [name, amount] of resources) {
      const inventory = provider?.inventories.get(name)
      if (inventory === undefined) {
        throw new ApiError(
          409,
          `Unable to allocate inventory: Inventory for '${name}' on resource provider '${providerUuid}' invalid.`,
        )
      }
      const { min_unit, max_unit, step_size } = inventory
      if (amount < min_unit || amount > max_unit || amount % step_size !== 0) {
        throw unable(name, providerUuid, 'The requested amount would violate inventory constraints.')
      }
      const others = (used.get(name) ?? 0) - (own?.allocations.get(providerUuid)?.get(name) ?? 0)
      if (others + amount > capacityOf(inventory)) {
        throw unable(name, providerUuid, 'The requested amount would exceed the capacity.')
      }
    }
  }
}
