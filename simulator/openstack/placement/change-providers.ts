import { ApiError } from '../http/api-error'
import { CODES } from './codes'
import { consumersOf, type Inventory, type PlacementState, type Provider, usedOf } from './placement-state'

/** Adds a provider; its name and uuid must be free. */
export const addProvider = (
  state: PlacementState,
  { uuid, name, parentUuid }: { uuid: string; name: string; parentUuid: string | null },
): Provider => {
  const duplicates = [
    ...(state.providers.has(uuid) ? [`uuid: ${uuid}`] : []),
    ...(state.names.has(name) ? [`name: ${name}`] : []),
  ]
  if (duplicates.length > 0) {
    throw new ApiError(409, `Conflicting resource provider ${duplicates.join(', ')} already exists.`, {
      code: CODES.duplicateName,
    })
  }
  const parent = parentUuid === null ? undefined : state.providers.get(parentUuid)
  if (parentUuid !== null && parent === undefined) {
    throw new ApiError(
      400,
      `Unable to create resource provider "${name}", ${uuid}: Object action create failed because: parent provider UUID does not exist.`,
    )
  }
  const provider: Provider = {
    uuid,
    name,
    generation: 0,
    parentUuid,
    rootUuid: parent?.rootUuid ?? uuid,
    inventories: new Map(),
    traits: new Set(),
    aggregates: new Set(),
  }
  state.providers.set(uuid, provider)
  state.names.set(name, uuid)
  return provider
}

/** Removes a provider that has neither children nor allocations. */
export const removeProvider = (state: PlacementState, { uuid, name }: Provider): void => {
  if ([...state.providers.values()].some(({ parentUuid }) => parentUuid === uuid)) {
    throw new ApiError(
      409,
      `Unable to delete parent resource provider ${uuid}: It has child resource providers.`,
      { code: CODES.cannotDeleteParent },
    )
  }
  if (consumersOf(state, uuid).length > 0) {
    throw new ApiError(
      409,
      `Unable to delete resource provider ${uuid}: Resource provider has allocations.`,
      { code: CODES.providerInUse },
    )
  }
  state.providers.delete(uuid)
  state.names.delete(name)
  state.holders.delete(uuid)
}

/** Replaces all inventories. What is allocated may not vanish; a total below what is used is allowed. */
export const replaceInventories = (
  state: PlacementState,
  provider: Provider,
  inventories: Map<string, Inventory>,
): void => {
  const lost = [...usedOf(state, provider.uuid).keys()].filter(
    (name) => provider.inventories.has(name) && !inventories.has(name),
  )
  if (lost.length > 0) {
    throw new ApiError(
      409,
      `update conflict: Inventory for '${lost.join(', ')}' on resource provider '${provider.uuid}' in use.`,
      { code: CODES.inventoryInUse },
    )
  }
  provider.inventories = inventories
  provider.generation += 1
}

/** Replaces all traits; the same list leaves the generation alone. */
export const replaceTraits = (provider: Provider, traits: Set<string>): void => {
  const isSame =
    traits.size === provider.traits.size && [...traits].every((name) => provider.traits.has(name))
  if (isSame) return
  provider.traits = traits
  provider.generation += 1
}

export const replaceAggregates = (provider: Provider, aggregates: Set<string>): void => {
  provider.aggregates = aggregates
  provider.generation += 1
}
