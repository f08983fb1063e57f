import * as z from 'zod'
import type { ProjectLimit, RegisteredLimit } from '@/lib/domain/cloud/types'
import { OpenStackError } from '../openstack-error'
import type { KeystoneCall } from './keystone-call'
import { listPages } from './keystone-pages'
import type { KeystoneLimits, LimitFilter } from './types'

export const registeredSchema = z.object({
  id: z.string(),
  service_id: z.string(),
  region_id: z.string().nullish(),
  resource_name: z.string(),
  default_limit: z.number().int(),
})
export const limitSchema = z.object({
  id: z.string(),
  service_id: z.string(),
  region_id: z.string().nullish(),
  project_id: z.string().nullish(),
  domain_id: z.string().nullish(),
  resource_name: z.string(),
  resource_limit: z.number().int(),
})
export const registeredListSchema = z.object({ registered_limits: z.array(registeredSchema) })
export const limitListSchema = z.object({ limits: z.array(limitSchema) })
export const modelSchema = z.object({ model: z.object({ name: z.string() }) })

const toRegistered = (raw: z.infer<typeof registeredSchema>): RegisteredLimit => ({
  id: raw.id,
  serviceId: raw.service_id,
  regionId: raw.region_id ?? null,
  resourceName: raw.resource_name,
  defaultLimit: raw.default_limit,
})

const toLimit = (raw: z.infer<typeof limitSchema>): ProjectLimit => ({
  id: raw.id,
  serviceId: raw.service_id,
  regionId: raw.region_id ?? null,
  projectId: raw.project_id ?? null,
  domainId: raw.domain_id ?? null,
  resourceName: raw.resource_name,
  resourceLimit: raw.resource_limit,
})

const filtersOf = (filter: LimitFilter) => ({
  service_id: filter.serviceId,
  region_id: filter.regionId,
  resource_name: filter.resourceName,
  project_id: filter.projectId,
})

/** Keystone does not page limits: `list_limit` cuts them. */
const OPTION = '[unified_limit] list_limit'

/** Unified limits of Keystone v3. Source: keystone/api/limits.py, registered_limits.py. */
export const createKeystoneLimits = (call: KeystoneCall): KeystoneLimits => ({
  ...createRegisteredCalls(call),
  ...createLimitCalls(call),
  getModel: async (input) => {
    const { model } = await call.read(modelSchema, { method: 'GET', path: '/limits/model', ...input })
    return model.name
  },
})

type RegisteredCalls = Pick<
  KeystoneLimits,
  'listRegistered' | 'createRegistered' | 'updateRegistered' | 'removeRegistered'
>

const createRegisteredCalls = (call: KeystoneCall): RegisteredCalls => ({
  listRegistered: async ({ tokenId, meter, ...filter }) => {
    const list = await listPages(call, {
      tokenId,
      meter,
      path: '/registered_limits',
      filters: filtersOf(filter),
      schema: registeredListSchema,
      itemsOf: ({ registered_limits }) => registered_limits,
      what: 'registered limits',
      option: OPTION,
    })
    return { ...list, items: list.items.map(toRegistered) }
  },
  createRegistered: async ({ tokenId, meter, limits }) => {
    const body = {
      registered_limits: limits.map((limit) => ({
        service_id: limit.serviceId,
        region_id: limit.regionId,
        resource_name: limit.resourceName,
        default_limit: limit.defaultLimit,
        description: null,
      })),
    }
    const path = '/registered_limits'
    const made = await call.read(registeredListSchema, { method: 'POST', path, body, tokenId, meter })
    return made.registered_limits.map(toRegistered)
  },
  updateRegistered: async ({ tokenId, meter, id, defaultLimit }) => {
    const path = `/registered_limits/${encodeURIComponent(id)}`
    const body = { registered_limit: { default_limit: defaultLimit } }
    await call.send({ method: 'PATCH', path, body, tokenId, meter })
    const schema = z.object({ registered_limit: registeredSchema })
    const read = await call.read(schema, { method: 'GET', path, tokenId, meter })
    const limit = toRegistered(read.registered_limit)
    if (limit.defaultLimit === defaultLimit) return limit
    throw unchanged(call, `registered limit ${limit.resourceName}`, defaultLimit, limit.defaultLimit)
  },
  removeRegistered: async ({ tokenId, meter, id }) => {
    await call.send({
      method: 'DELETE',
      path: `/registered_limits/${encodeURIComponent(id)}`,
      tokenId,
      meter,
    })
  },
})

type LimitCalls = Pick<KeystoneLimits, 'list' | 'create' | 'update' | 'remove'>

const createLimitCalls = (call: KeystoneCall): LimitCalls => {
  const pathOf = (id: string) => `/limits/${encodeURIComponent(id)}`
  const read = async (input: { tokenId: string; id: string }) => {
    const schema = z.object({ limit: limitSchema })
    const answer = await call.read(schema, { method: 'GET', path: pathOf(input.id), tokenId: input.tokenId })
    return toLimit(answer.limit)
  }
  const create: KeystoneLimits['create'] = async ({ tokenId, meter, limits }) => {
    const body = {
      limits: limits.map((limit) => ({
        service_id: limit.serviceId,
        region_id: limit.regionId,
        project_id: limit.projectId,
        resource_name: limit.resourceName,
        resource_limit: limit.resourceLimit,
      })),
    }
    const made = await call.read(limitListSchema, { method: 'POST', path: '/limits', body, tokenId, meter })
    return made.limits.map(toLimit)
  }
  const remove: KeystoneLimits['remove'] = async ({ tokenId, meter, id }) => {
    await call.send({ method: 'DELETE', path: pathOf(id), tokenId, meter })
  }
  // keystone/limit/backends/sql.py takes a new limit of 0 for "not given", so PATCH to 0 changes nothing.
  const replaceByZero = async (input: { tokenId: string; readTokenId: string; id: string }) => {
    const { tokenId, readTokenId, id } = input
    const { serviceId, regionId, projectId, resourceName } = await read({ tokenId: readTokenId, id })
    if (projectId === null) throw domainLimit(call, resourceName)
    await remove({ tokenId, id })
    const zero = { serviceId, regionId, projectId, resourceName, resourceLimit: 0 }
    const [made] = await create({ tokenId, limits: [zero] })
    return made?.id ?? id
  }
  return {
    create,
    remove,
    list: async ({ tokenId, meter, ...filter }) => {
      const list = await listPages(call, {
        tokenId,
        meter,
        path: '/limits',
        filters: filtersOf(filter),
        schema: limitListSchema,
        itemsOf: ({ limits }) => limits,
        what: 'limits',
        option: OPTION,
      })
      return { ...list, items: list.items.map(toLimit) }
    },
    update: async ({ tokenId, meter, id, resourceLimit, readTokenId = tokenId }) => {
      let currentId = id
      if (resourceLimit === 0) currentId = await replaceByZero({ tokenId, readTokenId, id })
      else {
        const body = { limit: { resource_limit: resourceLimit } }
        await call.send({ method: 'PATCH', path: pathOf(id), body, tokenId, meter })
      }
      const limit = await read({ tokenId: readTokenId, id: currentId })
      if (limit.resourceLimit === resourceLimit) return limit
      throw unchanged(call, `limit ${limit.resourceName}`, resourceLimit, limit.resourceLimit)
    },
  }
}

const unchanged = (call: KeystoneCall, what: string, wanted: number, found: number) =>
  new OpenStackError(
    `Keystone of cloud "${call.cloud}" took the ${what} of ${wanted}, but still answers ${found}; try again or set it with the OpenStack client.`,
    { kind: 'invalid-answer', service: 'keystone', cloud: call.cloud },
  )

const domainLimit = (call: KeystoneCall, resourceName: string) =>
  new OpenStackError(
    `The limit ${resourceName} in cloud "${call.cloud}" belongs to a domain, and only limits of projects are set to 0 here.`,
    { kind: 'invalid-answer', service: 'keystone', cloud: call.cloud },
  )
