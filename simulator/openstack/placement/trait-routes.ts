import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { replaceTraits } from './change-providers'
import { CODES } from './codes'
import {
  checkQuery,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  param,
  providerOf,
} from './placement-handler'
import type { PlacementState, Provider } from './placement-state'
import { isCustomName, isKnownTrait, isStandardTrait, STANDARD_TRAITS } from './standard-names'

const isAssociated = (state: PlacementState, name: string): boolean =>
  [...state.providers.values()].some(({ traits }) => traits.has(name))

const nameFilter = (input: string | null): ((name: string) => boolean) => {
  if (input === null) return () => true
  const [kind, value = ''] = input.split(':')
  if (kind === 'in') return (name) => value.split(',').includes(name)
  if (kind === 'startswith') return (name) => name.startsWith(value)
  throw new ApiError(
    400,
    `Badly formatted name parameter. Expected name query string parameter in form: ?name=[in|startswith]:[name1,name2|prefix]. Got: "${input}"`,
  )
}

const associationFilter = (state: PlacementState, input: string | undefined): ((name: string) => boolean) => {
  if (input === undefined) return () => true
  if (input !== 'true' && input !== 'false') {
    throw new ApiError(400, 'The query parameter "associated" only accepts "true" or "false"')
  }
  return (name) => isAssociated(state, name) === (input === 'true')
}

const list: PlacementHandler = (call) => {
  checkQuery(call, /^(name|associated)$/)
  const { state, request } = call
  const isNamed = nameFilter(request.query.get('name'))
  const isWanted = associationFilter(state, request.query.get('associated')?.toLowerCase())
  const traits = [...STANDARD_TRAITS, ...state.customTraits].filter((name) => isNamed(name) && isWanted(name))
  return { status: 200, body: { traits } }
}

const location = ({ request }: PlacementCall, name: string): Record<string, string> => ({
  location: `${request.origin}/placement/traits/${name}`,
})

const create: PlacementHandler = (call) => {
  const name = param(call, 'name')
  if (!isCustomName(name)) {
    throw new ApiError(
      400,
      'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"',
    )
  }
  const isNew = !call.state.customTraits.has(name)
  call.state.customTraits.add(name)
  return { status: isNew ? 201 : 204, headers: location(call, name) }
}

const show: PlacementHandler = (call) => {
  const name = param(call, 'name')
  if (!isKnownTrait(call.state, name)) throw new ApiError(404, `No such trait(s): ${name}.`)
  return { status: 204 }
}

const remove: PlacementHandler = (call) => {
  const name = param(call, 'name')
  if (isStandardTrait(name)) throw new ApiError(400, `Cannot delete standard trait ${name}.`)
  if (!isKnownTrait(call.state, name)) throw new ApiError(404, `No such trait(s): ${name}.`)
  if (isAssociated(call.state, name)) {
    throw new ApiError(409, `The trait ${name} is in use by a resource provider.`)
  }
  call.state.customTraits.delete(name)
  return { status: 204 }
}

const providerTraits = ({ traits, generation }: Provider): unknown => ({
  traits: [...traits],
  resource_provider_generation: generation,
})

const listOfProvider: PlacementHandler = (call) => ({ status: 200, body: providerTraits(providerOf(call)) })

const replaceSchema = z.strictObject({
  resource_provider_generation: z.number().int(),
  traits: z.array(
    z
      .string()
      .regex(/^[A-Z0-9_]+$/)
      .max(255),
  ),
})

const checkGeneration = (provider: Provider, generation: number): void => {
  if (generation === provider.generation) return
  throw new ApiError(
    409,
    "Resource provider's generation already changed. Please update the generation and try again.",
    { code: CODES.concurrentUpdate },
  )
}

const replaceOfProvider: PlacementHandler = (call) => {
  const provider = providerOf(call)
  const body = parseBody(replaceSchema, call.request.body, (problem) => `JSON does not validate: ${problem}`)
  checkGeneration(provider, body.resource_provider_generation)
  const unknown = body.traits.filter((name) => !isKnownTrait(call.state, name))
  if (unknown.length > 0) throw new ApiError(400, `No such trait ${unknown.join(', ')}`)
  replaceTraits(provider, new Set(body.traits))
  // Who writes traits over the API has taken the tags of this provider into their own hands.
  call.cloud.handTagged.add(provider.name)
  return { status: 200, body: providerTraits(provider) }
}

const removeOfProvider: PlacementHandler = (call) => {
  replaceTraits(providerOf(call), new Set())
  return { status: 204 }
}

const OF_PROVIDER = '/resource_providers/:uuid/traits'
const POLICY = 'placement:traits'
const PROVIDER_POLICY = 'placement:resource_providers:traits'

export const traitRoutes: PlacementRoute[] = [
  { method: 'GET', path: '/traits', policy: `${POLICY}:list`, since: '1.6', handler: list },
  { method: 'GET', path: '/traits/:name', policy: `${POLICY}:show`, since: '1.6', handler: show },
  { method: 'PUT', path: '/traits/:name', policy: `${POLICY}:update`, since: '1.6', handler: create },
  { method: 'DELETE', path: '/traits/:name', policy: `${POLICY}:delete`, since: '1.6', handler: remove },
  {
    method: 'GET',
    path: OF_PROVIDER,
    policy: `${PROVIDER_POLICY}:list`,
    since: '1.6',
    handler: listOfProvider,
  },
  {
    method: 'PUT',
    path: OF_PROVIDER,
    policy: `${PROVIDER_POLICY}:update`,
    since: '1.6',
    handler: replaceOfProvider,
  },
  {
    method: 'DELETE',
    path: OF_PROVIDER,
    policy: `${PROVIDER_POLICY}:delete`,
    since: '1.6',
    handler: removeOfProvider,
  },
]
