import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { replaceAggregates } from './change-providers'
import { CODES } from './codes'
import {
  has,
  type PlacementCall,
  type PlacementHandler,
  type PlacementRoute,
  providerOf,
} from './placement-handler'
import type { Provider } from './placement-state'

const body = (call: PlacementCall, { aggregates, generation }: Provider): unknown => ({
  aggregates: [...aggregates],
  ...(has(call, '1.19') ? { resource_provider_generation: generation } : {}),
})

const list: PlacementHandler = (call) => ({ status: 200, body: body(call, providerOf(call)) })

const oldSchema = z.array(z.uuid())
const newSchema = z.strictObject({
  resource_provider_generation: z.number().int(),
  aggregates: z.array(z.uuid()),
})

const word = (problem: string): string => `JSON does not validate: ${problem}`

/** From 1.19 on with the generation; before, a bare list. */
const replace: PlacementHandler = (call) => {
  const provider = providerOf(call)
  if (!has(call, '1.19')) {
    replaceAggregates(provider, new Set(parseBody(oldSchema, call.request.body, word)))
    return { status: 200, body: body(call, provider) }
  }
  const input = parseBody(newSchema, call.request.body, word)
  if (input.resource_provider_generation !== provider.generation) {
    throw new ApiError(
      409,
      "Resource provider's generation already changed. Please update the generation and try again.",
      { code: CODES.concurrentUpdate },
    )
  }
  replaceAggregates(provider, new Set(input.aggregates))
  return { status: 200, body: body(call, provider) }
}

const AT = '/resource_providers/:uuid/aggregates'
const POLICY = 'placement:resource_providers:aggregates'

export const aggregateRoutes: PlacementRoute[] = [
  { method: 'GET', path: AT, policy: `${POLICY}:list`, since: '1.1', handler: list },
  { method: 'PUT', path: AT, policy: `${POLICY}:update`, since: '1.1', handler: replace },
]
