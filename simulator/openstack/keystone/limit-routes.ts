import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import {
  collectionLinks,
  isCloudAdmin,
  isSystemReader,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  needLimitAdmin,
  param,
  signedIn,
} from './keystone-handler'
import type { KeystoneState, Limit } from './keystone-state'
import { checkReferences, duplicate, filtered, isSameKey, limitCollection, limitValue } from './limit-fields'

const body = ({ request }: KeystoneCall, limit: Limit): unknown => ({
  id: limit.id,
  service_id: limit.serviceId,
  region_id: limit.regionId,
  project_id: limit.projectId,
  domain_id: limit.domainId,
  resource_name: limit.resourceName,
  resource_limit: limit.resourceLimit,
  description: limit.description,
  links: { self: `${request.origin}/identity/v3/limits/${limit.id}` },
})

/** Through 2025.2 a project's token sees its own project's limits, an admin's too; the system's token sees all. */
const isVisible = (call: KeystoneCall): ((limit: Limit) => boolean) => {
  const { scope } = signedIn(call)
  const seesAll = isSystemReader(call) || (isCloudAdmin(call) && call.cloud.release.areLimitsOpenToAdmins)
  if (seesAll) return () => true
  if (scope.kind === 'project') return (limit) => limit.projectId === scope.id
  if (scope.kind === 'domain') return (limit) => limit.domainId === scope.id
  return () => false
}

const list: KeystoneHandler = (call) => {
  const { query } = call.request
  const project = query.get('project_id')
  const domain = query.get('domain_id')
  const isSeen = isVisible(call)
  const rows = filtered(
    call,
    call.cloud.keystone.limits,
    (row) =>
      isSeen(row) &&
      (project === null || row.projectId === project) &&
      (domain === null || row.domainId === domain),
  )
  return limitCollection(call, { key: 'limits', rows, bodyOf: (row) => body(call, row) })
}

const found = (call: KeystoneCall): Limit => {
  const id = param(call, 'id')
  const limit = call.cloud.keystone.limits.find((row) => row.id === id)
  if (limit === undefined) throw new ApiError(404, `Could not find limit for ${id}.`)
  return limit
}

const show: KeystoneHandler = (call) => {
  const isSeen = isVisible(call)
  const limit = found(call)
  if (!isSeen(limit)) {
    throw new ApiError(403, 'You are not authorized to perform the requested action: identity:get_limit.')
  }
  return { status: 200, body: { limit: body(call, limit) } }
}

const inputSchema = z.object({
  service_id: z.string(),
  region_id: z.string().nullish(),
  project_id: z.string().nullish(),
  domain_id: z.string().nullish(),
  resource_name: z.string().min(1).max(255),
  resource_limit: limitValue,
  description: z.string().nullish(),
})

const createSchema = z.object({ limits: z.array(inputSchema).min(1) })

const checkOwner = (state: KeystoneState, { projectId, domainId }: Limit): void => {
  if ((projectId === null) === (domainId === null)) {
    throw new ApiError(400, 'A limit is of one project or of one domain.')
  }
  if (projectId !== null && !state.projects.some(({ id }) => id === projectId)) {
    throw new ApiError(400, `Expecting to find project ${projectId} in limit.`)
  }
  if (domainId !== null && !state.domains.some(({ id }) => id === domainId)) {
    throw new ApiError(400, `Expecting to find domain ${domainId} in limit.`)
  }
}

const checkRegistered = (state: KeystoneState, limit: Limit): void => {
  if (state.registeredLimits.some((row) => isSameKey(row, limit))) return
  throw new ApiError(403, 'Unable to create a limit that has no corresponding registered limit.')
}

/** All of them or none. */
const create: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:create_limits')
  const { keystone, newUuid } = call.cloud
  const requested = parseBody(createSchema, call.request.body).limits.map(
    (input): Limit => ({
      id: newUuid().replaceAll('-', ''),
      serviceId: input.service_id,
      regionId: input.region_id ?? null,
      projectId: input.project_id ?? null,
      domainId: input.domain_id ?? null,
      resourceName: input.resource_name,
      resourceLimit: input.resource_limit,
      description: input.description ?? null,
    }),
  )
  const rows = [...keystone.limits]
  for (const row of requested) {
    checkOwner(keystone, row)
    checkReferences(keystone, row, 'limit')
    checkRegistered(keystone, row)
    const isTaken = rows.some(
      (other) =>
        isSameKey(other, row) && other.projectId === row.projectId && other.domainId === row.domainId,
    )
    if (isTaken) throw duplicate()
    rows.push(row)
  }
  keystone.limits = rows
  return {
    status: 201,
    body: { limits: requested.map((row) => body(call, row)), links: collectionLinks(call) },
  }
}

const updateSchema = z.object({
  limit: z.strictObject({
    resource_limit: limitValue.optional(),
    description: z.string().nullable().optional(),
  }),
})

/** 0 and an empty description are taken for "not set": 200, and nothing changes (keystone/limit/backends/sql.py). */
const update: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:update_limit')
  const limit = found(call)
  const input = parseBody(updateSchema, call.request.body).limit
  if (input.resource_limit) limit.resourceLimit = input.resource_limit
  if (input.description) limit.description = input.description
  return { status: 200, body: { limit: body(call, limit) } }
}

const remove: KeystoneHandler = (call) => {
  needLimitAdmin(call, 'identity:delete_limit')
  const limit = found(call)
  const { keystone } = call.cloud
  keystone.limits = keystone.limits.filter((row) => row !== limit)
  return { status: 204 }
}

const MODELS = {
  flat: 'Limit enforcement and validation does not take project hierarchy into consideration.',
  strict_two_level:
    'This model requires project hierarchy never exceeds a depth of two and that the sum of all child limits does not exceed the parent.',
} as const

const model: KeystoneHandler = (call) => {
  signedIn(call)
  const name = call.cloud.keystone.limitModel
  return { status: 200, body: { model: { name, description: MODELS[name] } } }
}

export const limitRoutes: KeystoneRoute[] = [
  { method: 'GET', path: '/v3/limits/model', handler: model },
  { method: 'GET', path: '/v3/limits', handler: list },
  { method: 'POST', path: '/v3/limits', handler: create },
  { method: 'GET', path: '/v3/limits/:id', handler: show },
  { method: 'PATCH', path: '/v3/limits/:id', handler: update },
  { method: 'DELETE', path: '/v3/limits/:id', handler: remove },
]
