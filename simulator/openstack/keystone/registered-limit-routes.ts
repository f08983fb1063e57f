import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import {
  collectionLinks,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  needLimitAdmin,
  param,
  signedIn,
} from './keystone-handler'
import type { RegisteredLimit } from './keystone-state'
import { checkReferences, duplicate, filtered, isSameKey, limitCollection, limitValue } from './limit-fields'

const body = ({ request }: KeystoneCall, limit: RegisteredLimit): unknown => ({
  id: limit.id,
  service_id: limit.serviceId,
  region_id: limit.regionId,
  resource_name: limit.resourceName,
  default_limit: limit.defaultLimit,
  description: limit.description,
  links: { self: `${request.origin}/identity/v3/registered_limits/${limit.id}` },
})

/** Every token may read them. */
const list: KeystoneHandler = (call) => {
  signedIn(call)
  const rows = filtered(call, call.cloud.keystone.registeredLimits)
  return limitCollection(call, { key: 'registered_limits', rows, bodyOf: (row) => body(call, row) })
}

const found = (call: KeystoneCall): RegisteredLimit => {
  const id = param(call, 'id')
  const limit = call.cloud.keystone.registeredLimits.find((row) => row.id === id)
  if (limit === undefined) throw new ApiError(404, `Could not find registered limit for ${id}.`)
  return limit
}

const show: KeystoneHandler = (call) => {
  signedIn(call)
  return { status: 200, body: { registered_limit: body(call, found(call)) } }
}

const createSchema = z.object({
  registered_limits: z
    .array(
      z.object({
        service_id: z.string(),
        region_id: z.string().nullish(),
        resource_name: z.string().min(1).max(255),
        default_limit: limitValue,
        description: z.string().nullish(),
      }),
    )
    .min(1),
})

/** All of them or none. */
const create: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:create_registered_limits')
  const { keystone, newUuid } = call.cloud
  const requested = parseBody(createSchema, call.request.body).registered_limits.map(
    (input): RegisteredLimit => ({
      id: newUuid().replaceAll('-', ''),
      serviceId: input.service_id,
      regionId: input.region_id ?? null,
      resourceName: input.resource_name,
      defaultLimit: input.default_limit,
      description: input.description ?? null,
    }),
  )
  const rows = [...keystone.registeredLimits]
  for (const row of requested) {
    checkReferences(keystone, row, 'registered_limit')
    if (rows.some((other) => isSameKey(other, row))) throw duplicate()
    rows.push(row)
  }
  keystone.registeredLimits = rows
  return {
    status: 201,
    body: { registered_limits: requested.map((row) => body(call, row)), links: collectionLinks(call) },
  }
}

/** A registered limit with project limits cannot change, its default included. */
const checkUnused = ({ cloud }: KeystoneCall, limit: RegisteredLimit): void => {
  if (!cloud.keystone.limits.some((row) => isSameKey(row, limit))) return
  throw new ApiError(
    403,
    `Unable to update or delete registered limit ${limit.id} because there are project limits associated with it.`,
  )
}

const updateSchema = z.object({
  registered_limit: z.strictObject({
    service_id: z.string().optional(),
    region_id: z.string().nullable().optional(),
    resource_name: z.string().min(1).max(255).optional(),
    default_limit: limitValue.optional(),
    description: z.string().nullable().optional(),
  }),
})

const update: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:update_registered_limit')
  const limit = found(call)
  const input = parseBody(updateSchema, call.request.body).registered_limit
  checkUnused(call, limit)
  const next: RegisteredLimit = {
    ...limit,
    serviceId: input.service_id ?? limit.serviceId,
    regionId: input.region_id === undefined ? limit.regionId : input.region_id,
    resourceName: input.resource_name ?? limit.resourceName,
    defaultLimit: input.default_limit ?? limit.defaultLimit,
    description: input.description === undefined ? limit.description : input.description,
  }
  const { keystone } = call.cloud
  checkReferences(keystone, next, 'registered_limit')
  if (keystone.registeredLimits.some((row) => row.id !== next.id && isSameKey(row, next))) throw duplicate()
  Object.assign(limit, next)
  return { status: 200, body: { registered_limit: body(call, limit) } }
}

const remove: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:delete_registered_limit')
  const limit = found(call)
  checkUnused(call, limit)
  const { keystone } = call.cloud
  keystone.registeredLimits = keystone.registeredLimits.filter((row) => row !== limit)
  return { status: 204 }
}

export const registeredLimitRoutes: KeystoneRoute[] = [
  { method: 'GET', path: '/v3/registered_limits', handler: list },
  { method: 'POST', path: '/v3/registered_limits', handler: create },
  { method: 'GET', path: '/v3/registered_limits/:id', handler: show },
  { method: 'PATCH', path: '/v3/registered_limits/:id', handler: update },
  { method: 'DELETE', path: '/v3/registered_limits/:id', handler: remove },
]
