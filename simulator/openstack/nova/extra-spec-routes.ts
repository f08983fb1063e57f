import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { checkExtraSpec } from './extra-spec-rules'
import { flavorOf } from './flavor-routes'
import { has, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'

const specSchema = z.record(
  z.string().regex(/^[a-zA-Z0-9-_:. {}]{1,255}$/),
  z.union([z.string().max(255), z.number(), z.boolean()]).transform(String),
)

const check = (call: NovaCall, specs: Record<string, string>): void => {
  if (!has(call, '2.86')) return
  for (const [name, value] of Object.entries(specs)) checkExtraSpec(name, value)
}

const list: NovaHandler = (call) => ({ status: 200, body: { extra_specs: flavorOf(call).extraSpecs } })

const create: NovaHandler = (call) => {
  const { extra_specs: specs } = parseBody(z.object({ extra_specs: specSchema }), call.request.body)
  const flavor = flavorOf(call)
  check(call, specs)
  flavor.extraSpecs = { ...flavor.extraSpecs, ...specs }
  return { status: 200, body: { extra_specs: specs } }
}

const existing = (call: NovaCall): { key: string; value: string } => {
  const key = param(call, 'key')
  const flavor = flavorOf(call)
  const value = flavor.extraSpecs[key]
  if (value === undefined) throw new ApiError(404, `Flavor ${flavor.id} has no extra specs with key ${key}.`)
  return { key, value }
}

const show: NovaHandler = (call) => {
  const { key, value } = existing(call)
  return { status: 200, body: { [key]: value } }
}

const update: NovaHandler = (call) => {
  const specs = parseBody(specSchema, call.request.body)
  const key = param(call, 'key')
  const value = specs[key]
  if (value === undefined || Object.keys(specs).length !== 1) {
    throw new ApiError(400, 'Request body and URI mismatch')
  }
  check(call, specs)
  const flavor = flavorOf(call)
  flavor.extraSpecs = { ...flavor.extraSpecs, [key]: value }
  return { status: 200, body: { [key]: value } }
}

const remove: NovaHandler = (call) => {
  const { key } = existing(call)
  const flavor = flavorOf(call)
  flavor.extraSpecs = Object.fromEntries(Object.entries(flavor.extraSpecs).filter(([name]) => name !== key))
  return { status: 200 }
}

const AT = '/flavors/:id/os-extra_specs'
const POLICY = 'os_compute_api:os-flavor-extra-specs'

export const extraSpecRoutes: NovaRoute[] = [
  { method: 'GET', path: AT, policy: `${POLICY}:index`, access: 'reader', handler: list },
  { method: 'POST', path: AT, policy: `${POLICY}:create`, access: 'admin', handler: create },
  { method: 'GET', path: `${AT}/:key`, policy: `${POLICY}:show`, access: 'reader', handler: show },
  { method: 'PUT', path: `${AT}/:key`, policy: `${POLICY}:update`, access: 'admin', handler: update },
  { method: 'DELETE', path: `${AT}/:key`, policy: `${POLICY}:delete`, access: 'admin', handler: remove },
]
