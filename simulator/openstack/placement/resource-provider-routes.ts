import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { addProvider, removeProvider } from './change-providers'
import { CODES } from './codes'
import { listedProviders } from './list-providers'
import {
  checkQuery,
  has,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  param,
  providerOf,
} from './placement-handler'
import type { Provider } from './placement-state'

const LINKS: [rel: string, since: string][] = [
  ['aggregates', '1.1'],
  ['traits', '1.6'],
  ['allocations', '1.11'],
]

const providerBody = (call: PlacementCall, provider: Provider): unknown => {
  const at = `/placement/resource_providers/${provider.uuid}`
  const rels = ['inventories', 'usages', ...LINKS.filter(([, since]) => has(call, since)).map(([rel]) => rel)]
  return {
    uuid: provider.uuid,
    name: provider.name,
    generation: provider.generation,
    ...(has(call, '1.14')
      ? { parent_provider_uuid: provider.parentUuid, root_provider_uuid: provider.rootUuid }
      : {}),
    links: [{ rel: 'self', href: at }, ...rels.map((rel) => ({ rel, href: `${at}/${rel}` }))],
  }
}

const list: PlacementHandler = (call) => {
  checkQuery(call, /^(name|uuid|in_tree|member_of|resources|required)$/)
  return {
    status: 200,
    body: { resource_providers: listedProviders(call).map((each) => providerBody(call, each)) },
  }
}

const show: PlacementHandler = (call) => ({ status: 200, body: providerBody(call, providerOf(call)) })

const createSchema = z.strictObject({
  name: z.string().min(1).max(200),
  uuid: z.uuid().optional(),
  parent_provider_uuid: z.uuid().nullish(),
})

const create: PlacementHandler = (call) => {
  const body = parseBody(createSchema, call.request.body, (problem) => `JSON does not validate: ${problem}`)
  const provider = addProvider(call.state, {
    uuid: body.uuid ?? call.cloud.newUuid(),
    name: body.name,
    parentUuid: body.parent_provider_uuid ?? null,
  })
  const location = `${call.request.origin}/placement/resource_providers/${provider.uuid}`
  if (!has(call, '1.20')) return { status: 201, headers: { location } }
  return { status: 200, headers: { location }, body: providerBody(call, provider) }
}

const updateSchema = z.strictObject({
  name: z.string().min(1).max(200),
  parent_provider_uuid: z.uuid().nullish(),
})

const update: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const { name } = parseBody(
    updateSchema,
    call.request.body,
    (problem) => `JSON does not validate: ${problem}`,
  )
  const holder = call.state.names.get(name)
  if (holder !== undefined && holder !== provider.uuid) {
    throw new ApiError(409, `Conflicting resource provider ${name} already exists.`, {
      code: CODES.duplicateName,
    })
  }
  call.state.names.delete(provider.name)
  call.state.names.set(name, provider.uuid)
  provider.name = name
  return { status: 200, body: providerBody(call, provider) }
}

const remove: PlacementHandler = (call) => {
  const uuid = param(call, 'uuid')
  const provider = call.state.providers.get(uuid)
  if (provider === undefined)
    throw new ApiError(404, `No resource provider with uuid ${uuid} found for delete`)
  removeProvider(call.state, provider)
  return { status: 204 }
}

const POLICY = 'placement:resource_providers'

export const resourceProviderRoutes: PlacementRoute[] = [
  { method: 'GET', path: '/resource_providers', policy: `${POLICY}:list`, handler: list },
  { method: 'POST', path: '/resource_providers', policy: `${POLICY}:create`, handler: create },
  { method: 'GET', path: '/resource_providers/:uuid', policy: `${POLICY}:show`, handler: show },
  { method: 'PUT', path: '/resource_providers/:uuid', policy: `${POLICY}:update`, handler: update },
  { method: 'DELETE', path: '/resource_providers/:uuid', policy: `${POLICY}:delete`, handler: remove },
]
