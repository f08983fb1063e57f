import { ApiError } from '../http/api-error'
import { hasTraits, matchesMembers, parseMembers, parseRequired, parseResources } from './filters'
import type { PlacementCall } from './placement-handler'
import { capacityOf, type Provider, usedOf } from './placement-state'

/** Whether a provider could give that much now, for one consumer. */
const hasFree = ({ state }: PlacementCall, provider: Provider, resources: Map<string, number>): boolean => {
  const used = usedOf(state, provider.uuid)
  return [...resources].every(([name, amount]) => {
    const inventory = provider.inventories.get(name)
    if (inventory === undefined) return false
    const { min_unit, max_unit, step_size } = inventory
    const isUnit = amount >= min_unit && amount <= max_unit && amount % step_size === 0
    return isUnit && (used.get(name) ?? 0) + amount <= capacityOf(inventory)
  })
}

/** `GET /resource_providers` with its filters; there is no paging. */
export const listedProviders = (call: PlacementCall): Provider[] => {
  const { state, request } = call
  const { query } = request
  const name = query.get('name')
  const uuid = query.get('uuid')
  const inTree = query.get('in_tree')
  const resources = query.get('resources')
  const required = parseRequired(call, query.getAll('required'), 'required')
  const members = parseMembers(query.getAll('member_of'))
  if (uuid !== null && !/^[0-9a-f-]{32,36}$/i.test(uuid)) {
    throw new ApiError(400, `Invalid query string parameters: '${uuid}' is not a 'uuid'`)
  }
  const wanted = resources === null ? null : parseResources(call, resources)
  const root = inTree === null ? null : (state.providers.get(inTree)?.rootUuid ?? '')
  return [...state.providers.values()].filter(
    (provider) =>
      (name === null || provider.name === name) &&
      (uuid === null || provider.uuid === uuid) &&
      (root === null || provider.rootUuid === root) &&
      hasTraits(provider.traits, required) &&
      matchesMembers(provider.aggregates, members) &&
      (wanted === null || hasFree(call, provider, wanted)),
  )
}
