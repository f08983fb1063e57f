import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { replaceInventories } from './change-providers'
import { CODES } from './codes'
import {
  has,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  param,
  providerOf,
} from './placement-handler'
import { type Inventory, type Provider, usedOf } from './placement-state'
import { isKnownClass } from './standard-names'

const MAX = 2_147_483_647
const whole = z.number().int().max(MAX)

const inventorySchema = z.strictObject({
  total: whole.min(1),
  reserved: whole.min(0).default(0),
  min_unit: whole.min(1).default(1),
  max_unit: whole.min(1).default(MAX),
  step_size: whole.min(1).default(1),
  allocation_ratio: z.number().max(3.40282e38).default(1),
})

const generationSchema = z.number().int()

const listSchema = z.strictObject({
  resource_provider_generation: generationSchema,
  inventories: z.record(z.string(), inventorySchema),
})

const word = (problem: string): string => `JSON does not validate: ${problem}`

const listBody = ({ generation, inventories }: Provider): unknown => ({
  resource_provider_generation: generation,
  inventories: Object.fromEntries(inventories),
})

/** Reserved may be all of the total from 1.26 on. */
const checkReserved = (call: PlacementCall, provider: Provider, name: string, inventory: Inventory): void => {
  const { total, reserved } = inventory
  if (has(call, '1.26') ? reserved <= total : reserved < total) return
  throw new ApiError(
    400,
    `Unable to update inventory for resource provider ${provider.uuid}: Invalid inventory for '${name}' on resource provider '${provider.uuid}'. The reserved value is greater than ${has(call, '1.26') ? '' : 'or equal to '}total.`,
  )
}

const checkGeneration = (provider: Provider, generation: number): void => {
  if (generation === provider.generation) return
  throw new ApiError(409, 'resource provider generation conflict', { code: CODES.concurrentUpdate })
}

const list: PlacementHandler = (call) => ({ status: 200, body: listBody(providerOf(call)) })

const replace: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const body = parseBody(listSchema, call.request.body, word)
  checkGeneration(provider, body.resource_provider_generation)
  const inventories = new Map(Object.entries(body.inventories))
  for (const [name, inventory] of inventories) {
    if (!isKnownClass(call.state, name)) {
      throw new ApiError(
        400,
        `Unknown resource class in inventory for resource provider ${provider.uuid}: No such resource class ${name}.`,
      )
    }
    checkReserved(call, provider, name, inventory)
  }
  replaceInventories(call.state, provider, inventories)
  return { status: 200, body: listBody(provider) }
}

const removeAll: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const used = [...usedOf(call.state, provider.uuid).keys()]
  if (used.length > 0) {
    throw new ApiError(
      409,
      `Inventory for '${used.join(', ')}' on resource provider '${provider.uuid}' in use.`,
      { code: CODES.inventoryInUse },
    )
  }
  replaceInventories(call.state, provider, new Map())
  return { status: 204 }
}

const one = (call: PlacementCall): { provider: Provider; name: string; inventory: Inventory } => {
  const provider = providerOf(call)
  const name = param(call, 'class')
  const inventory = provider.inventories.get(name)
  if (inventory === undefined) throw new ApiError(404, `No inventory of class ${name} for ${provider.uuid}`)
  return { provider, name, inventory }
}

const oneBody = ({ generation }: Provider, inventory: Inventory): unknown => ({
  resource_provider_generation: generation,
  ...inventory,
})

const show: PlacementHandler = (call) => {
  const { provider, inventory } = one(call)
  return { status: 200, body: oneBody(provider, inventory) }
}

const updateOneSchema = inventorySchema.extend({ resource_provider_generation: generationSchema })

const updateOne: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const name = param(call, 'class')
  const body = parseBody(updateOneSchema, call.request.body, word)
  const { resource_provider_generation: generation, ...inventory } = body
  checkGeneration(provider, generation)
  if (!provider.inventories.has(name)) {
    throw new ApiError(
      400,
      `No inventory record with resource class for resource provider ${provider.uuid}: No inventory of class ${name} found.`,
    )
  }
  checkReserved(call, provider, name, inventory)
  provider.inventories.set(name, inventory)
  provider.generation += 1
  return { status: 200, body: oneBody(provider, inventory) }
}

/** In use: refused as a concurrent update, which it is not. */
const removeOne: PlacementHandler = (call) => {
  const { provider, name } = one(call)
  if ((usedOf(call.state, provider.uuid).get(name) ?? 0) > 0) {
    throw new ApiError(
      409,
      `Unable to delete inventory of class ${name}: Inventory for '${name}' on resource provider '${provider.uuid}' in use.`,
      { code: CODES.concurrentUpdate },
    )
  }
  provider.inventories.delete(name)
  provider.generation += 1
  return { status: 204 }
}

const usages: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const used = usedOf(call.state, provider.uuid)
  return {
    status: 200,
    body: {
      resource_provider_generation: provider.generation,
      usages: Object.fromEntries([...provider.inventories.keys()].map((name) => [name, used.get(name) ?? 0])),
    },
  }
}

const AT = '/resource_providers/:uuid/inventories'
const POLICY = 'placement:resource_providers:inventories'

export const inventoryRoutes: PlacementRoute[] = [
  { method: 'GET', path: AT, policy: `${POLICY}:list`, handler: list },
  { method: 'PUT', path: AT, policy: `${POLICY}:update`, handler: replace },
  { method: 'DELETE', path: AT, policy: `${POLICY}:delete`, since: '1.5', handler: removeAll },
  { method: 'GET', path: `${AT}/:class`, policy: `${POLICY}:show`, handler: show },
  { method: 'PUT', path: `${AT}/:class`, policy: `${POLICY}:update`, handler: updateOne },
  { method: 'DELETE', path: `${AT}/:class`, policy: `${POLICY}:delete`, handler: removeOne },
  {
    method: 'GET',
    path: '/resource_providers/:uuid/usages',
    policy: 'placement:resource_providers:usages',
    handler: usages,
  },
]
