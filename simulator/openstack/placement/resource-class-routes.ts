import { z } from 'zod'
import { STANDARD_CLASSES } from '@/lib/domain/nova-config/standard-classes'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import {
  checkQuery,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  param,
} from './placement-handler'
import { isCustomName, isKnownClass, isStandardClass } from './standard-names'

const classBody = (name: string): unknown => ({
  name,
  links: [{ rel: 'self', href: `/placement/resource_classes/${name}` }],
})

const location = ({ request }: PlacementCall, name: string): Record<string, string> => ({
  location: `${request.origin}/placement/resource_classes/${name}`,
})

const list: PlacementHandler = (call) => {
  checkQuery(call, /^$/)
  const names = [...STANDARD_CLASSES, ...call.state.customClasses]
  return { status: 200, body: { resource_classes: names.map(classBody) } }
}

const existing = (call: PlacementCall): string => {
  const name = param(call, 'name')
  if (!isKnownClass(call.state, name)) throw new ApiError(404, `No such resource class ${name}.`)
  return name
}

const show: PlacementHandler = (call) => ({ status: 200, body: classBody(existing(call)) })

const checkCustom = (name: string): void => {
  if (isCustomName(name)) return
  throw new ApiError(400, `JSON does not validate: '${name}' does not match '^CUSTOM_[A-Z0-9_]+$'`)
}

const createSchema = z.strictObject({ name: z.string() })

const create: PlacementHandler = (call) => {
  const { name } = parseBody(
    createSchema,
    call.request.body,
    (problem) => `JSON does not validate: ${problem}`,
  )
  checkCustom(name)
  if (call.state.customClasses.has(name)) {
    throw new ApiError(409, `Conflicting resource class already exists: ${name}`)
  }
  call.state.customClasses.add(name)
  return { status: 201, headers: location(call, name) }
}

const ensure: PlacementHandler = (call) => {
  const name = param(call, 'name')
  checkCustom(name)
  const isNew = !call.state.customClasses.has(name)
  call.state.customClasses.add(name)
  return { status: isNew ? 201 : 204, headers: location(call, name) }
}

const remove: PlacementHandler = (call) => {
  const name = existing(call)
  if (isStandardClass(name)) {
    throw new ApiError(400, `Error in delete resource class: Cannot delete standard resource class ${name}.`)
  }
  if ([...call.state.providers.values()].some(({ inventories }) => inventories.has(name))) {
    throw new ApiError(
      409,
      `Error in delete resource class: Cannot delete resource class ${name}. Class is in use in inventory.`,
    )
  }
  call.state.customClasses.delete(name)
  return { status: 204 }
}

const POLICY = 'placement:resource_classes'

/** Before 1.7 PUT renamed a class; only what came after is here. */
export const resourceClassRoutes: PlacementRoute[] = [
  { method: 'GET', path: '/resource_classes', policy: `${POLICY}:list`, since: '1.2', handler: list },
  { method: 'POST', path: '/resource_classes', policy: `${POLICY}:create`, since: '1.2', handler: create },
  { method: 'GET', path: '/resource_classes/:name', policy: `${POLICY}:show`, since: '1.2', handler: show },
  {
    method: 'PUT',
    path: '/resource_classes/:name',
    policy: `${POLICY}:update`,
    since: '1.7',
    handler: ensure,
  },
  {
    method: 'DELETE',
    path: '/resource_classes/:name',
    policy: `${POLICY}:delete`,
    since: '1.2',
    handler: remove,
  },
]
