import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import type { ApiAnswer, ApiRequest } from '../http/api-request'
import type { Route, RouteParams } from '../http/router'
import { isSince, type Microversion } from '../http/version'
import type { IssuedToken } from '../keystone/keystone-state'
import type { PlacementState, Provider } from './placement-state'

export type PlacementCall = {
  cloud: Cloud
  state: PlacementState
  request: ApiRequest
  params: RouteParams
  version: Microversion
  caller: IssuedToken
}

export type PlacementHandler = (call: PlacementCall) => ApiAnswer

/** `since`: the microversion that brought it; older ones get 404. `isOpenToReaders`: a project reader may ask too. */
export type PlacementRoute = Route<PlacementHandler> & {
  policy: string
  since?: string
  isOpenToReaders?: boolean
}

export const has = ({ version }: PlacementCall, text: string): boolean => isSince(version, text)

export const param = ({ params }: PlacementCall, name: string): string => params[name] ?? ''

/** The provider of the path, or 404. */
export const providerOf = (call: PlacementCall): Provider => {
  const uuid = param(call, 'uuid')
  const provider = call.state.providers.get(uuid)
  if (provider === undefined) {
    throw new ApiError(
      404,
      `No resource provider with uuid ${uuid} found : No resource provider with uuid ${uuid} found`,
    )
  }
  return provider
}

/** An unknown parameter is refused, as all of Placement's GET schemas do. */
export const checkQuery = ({ request }: PlacementCall, known: RegExp): void => {
  for (const name of request.query.keys()) {
    if (known.test(name)) continue
    throw new ApiError(
      400,
      `Invalid query string parameters: Additional properties are not allowed ('${name}' was unexpected)`,
    )
  }
}
