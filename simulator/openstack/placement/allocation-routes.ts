import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { hasRole } from '../keystone/roles'
import { checkCapacity, dropConsumer, putConsumer } from './change-allocations'
import { CODES } from './codes'
import {
  checkQuery,
  has,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  param,
  providerOf,
} from './placement-handler'
import { type Consumer, consumersOf } from './placement-state'
import { isKnownClass } from './standard-names'

const ofProvider: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const allocations = consumersOf(call.state, provider.uuid).map((consumer) => [
    consumer.uuid,
    {
      resources: Object.fromEntries(consumer.allocations.get(provider.uuid) ?? []),
      ...(has(call, '1.28') ? { consumer_generation: consumer.generation } : {}),
    },
  ])
  return {
    status: 200,
    body: {
      allocations: Object.fromEntries(allocations),
      resource_provider_generation: provider.generation,
    },
  }
}

const consumerBody = (call: PlacementCall, consumer: Consumer): unknown => ({
  allocations: Object.fromEntries(
    [...consumer.allocations].map(([uuid, resources]) => [
      uuid,
      {
        generation: call.state.providers.get(uuid)?.generation ?? 0,
        resources: Object.fromEntries(resources),
      },
    ]),
  ),
  ...(has(call, '1.12') ? { project_id: consumer.projectId, user_id: consumer.userId } : {}),
  ...(has(call, '1.28') ? { consumer_generation: consumer.generation } : {}),
  ...(has(call, '1.38') ? { consumer_type: consumer.type ?? 'unknown' } : {}),
})

/** An unknown consumer has no allocations, which is no error. */
const show: PlacementHandler = (call) => {
  const consumer = call.state.consumers.get(param(call, 'consumer'))
  return { status: 200, body: consumer === undefined ? { allocations: {} } : consumerBody(call, consumer) }
}

const putSchema = z.strictObject({
  allocations: z.record(
    z.uuid(),
    z.strictObject({
      generation: z.number().int().optional(),
      resources: z.record(z.string().regex(/^[A-Z0-9_]+$/), z.number().int().min(1)),
    }),
  ),
  project_id: z.string().min(1).max(255),
  user_id: z.string().min(1).max(255),
  consumer_generation: z.number().int().nullable().optional(),
  consumer_type: z
    .string()
    .regex(/^[A-Z0-9_]+$/)
    .optional(),
  mappings: z.record(z.string(), z.array(z.uuid())).optional(),
})

const word = (problem: string): string => `JSON does not validate: ${problem}`

const checkConsumer = (call: PlacementCall, uuid: string, input: z.infer<typeof putSchema>): void => {
  const missing = [
    ...(has(call, '1.28') && input.consumer_generation === undefined ? ['consumer_generation'] : []),
    ...(has(call, '1.38') && input.consumer_type === undefined ? ['consumer_type'] : []),
  ]
  if (missing.length > 0) throw new ApiError(400, word(`'${missing.join("', '")}' is a required property`))
  if (!has(call, '1.28')) return
  const present = call.state.consumers.get(uuid)?.generation ?? null
  if (present === input.consumer_generation) return
  throw new ApiError(
    409,
    `consumer generation conflict - expected ${present} but got ${input.consumer_generation}`,
    { code: CODES.concurrentUpdate },
  )
}

const checkNames = (call: PlacementCall, { allocations }: Pick<Consumer, 'allocations'>): void => {
  for (const [uuid, resources] of allocations) {
    if (!call.state.providers.has(uuid)) {
      throw new ApiError(400, `Allocation for resource provider '${uuid}' that does not exist.`)
    }
    for (const name of resources.keys()) {
      if (isKnownClass(call.state, name)) continue
      throw new ApiError(400, `Unable to allocate inventory for consumer: No such resource class ${name}.`)
    }
  }
}

const put: PlacementHandler = (call) => {
  const uuid = param(call, 'consumer')
  const input = parseBody(putSchema, call.request.body, word)
  checkConsumer(call, uuid, input)
  const consumer: Consumer = {
    uuid,
    generation: (call.state.consumers.get(uuid)?.generation ?? 0) + 1,
    projectId: input.project_id,
    userId: input.user_id,
    type: input.consumer_type ?? null,
    allocations: new Map(
      Object.entries(input.allocations).map(([provider, { resources }]) => [
        provider,
        new Map(Object.entries(resources)),
      ]),
    ),
  }
  checkNames(call, consumer)
  checkCapacity(call.state, consumer)
  putConsumer(call.state, consumer)
  return { status: 204 }
}

const remove: PlacementHandler = (call) => {
  const uuid = param(call, 'consumer')
  if (!call.state.consumers.has(uuid)) throw new ApiError(404, `No allocations for consumer '${uuid}'`)
  dropConsumer(call.state, uuid)
  return { status: 204 }
}

type Usage = Record<string, number>

const addUp = (sums: Usage, consumer: Consumer): Usage => {
  for (const resources of consumer.allocations.values()) {
    for (const [name, amount] of resources) sums[name] = (sums[name] ?? 0) + amount
  }
  return sums
}

/** Of one project: there is no call for all of them. */
const usages: PlacementHandler = (call) => {
  checkQuery(call, has(call, '1.38') ? /^(project_id|user_id|consumer_type)$/ : /^(project_id|user_id)$/)
  const { query } = call.request
  const projectId = query.get('project_id')
  if (projectId === null) {
    throw new ApiError(400, "Invalid query string parameters: 'project_id' is a required property")
  }
  const isOwn = call.caller.scope.kind === 'project' && call.caller.scope.id === projectId
  if (!isOwn && !hasRole(call.cloud.keystone, call.caller, 'admin')) {
    throw new ApiError(403, 'Policy does not allow placement:usages to be performed.')
  }
  const userId = query.get('user_id')
  const own = [...call.state.consumers.values()].filter(
    (consumer) => consumer.projectId === projectId && (userId === null || consumer.userId === userId),
  )
  if (!has(call, '1.38')) {
    return { status: 200, body: { usages: own.reduce<Usage>(addUp, {}) } }
  }
  const wanted = query.get('consumer_type')
  if (wanted === 'all') {
    const all = { ...own.reduce<Usage>(addUp, {}), consumer_count: own.length }
    return { status: 200, body: { usages: own.length === 0 ? {} : { all } } }
  }
  const byType = new Map<string, Usage>()
  for (const consumer of own) {
    const type = consumer.type ?? 'unknown'
    if (wanted !== null && wanted !== type) continue
    const sums = byType.get(type) ?? { consumer_count: 0 }
    sums.consumer_count = (sums.consumer_count ?? 0) + 1
    byType.set(type, addUp(sums, consumer))
  }
  return { status: 200, body: { usages: Object.fromEntries(byType) } }
}

const ONE = '/allocations/:consumer'

export const allocationRoutes: PlacementRoute[] = [
  {
    method: 'GET',
    path: '/resource_providers/:uuid/allocations',
    policy: 'placement:resource_providers:allocations:list',
    handler: ofProvider,
  },
  { method: 'GET', path: ONE, policy: 'placement:allocations:list', handler: show },
  { method: 'PUT', path: ONE, policy: 'placement:allocations:update', since: '1.12', handler: put },
  { method: 'DELETE', path: ONE, policy: 'placement:allocations:delete', handler: remove },
  {
    method: 'GET',
    path: '/usages',
    policy: 'placement:usages',
    since: '1.9',
    isOpenToReaders: true,
    handler: usages,
  },
]
