import type { Cloud } from '../cloud'
import type { ServerOperations } from '../compute/server-operations'
import { ApiError } from '../http/api-error'
import type { ApiAnswer, ApiRequest } from '../http/api-request'
import type { Route, RouteParams } from '../http/router'
import { isSince, type Microversion } from '../http/version'
import type { IssuedToken } from '../keystone/keystone-state'
import { hasRole } from '../keystone/roles'
import type { NovaState } from './nova-state'

export type NovaCall = {
  cloud: Cloud
  state: NovaState
  operations: ServerOperations
  request: ApiRequest
  params: RouteParams
  version: Microversion
  caller: IssuedToken
  /** Of the caller's token; empty when it is not scoped to a project. */
  projectId: string
}

export type NovaHandler = (call: NovaCall) => ApiAnswer

/** `admin`: admin on a project. `reader`: any user with a role on a project; handlers narrow down. `member`: all but readers. */
export type NovaRoute = Route<NovaHandler> & { policy: string; access: 'admin' | 'member' | 'reader' }

export const has = ({ version }: NovaCall, text: string): boolean => isSince(version, text)

export const param = ({ params }: NovaCall, name: string): string => params[name] ?? ''

export const isAdmin = ({ cloud, caller }: Pick<NovaCall, 'cloud' | 'caller'>): boolean =>
  caller.scope.kind === 'project' && hasRole(cloud.keystone, caller, 'admin')

export const forbid = (policy: string): never => {
  throw new ApiError(403, `Policy doesn't allow ${policy} to be performed.`)
}

/** Nova's times have seconds. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** Times of services and migrations have microseconds and no zone. */
export const plainTimeText = (ms: number): string => new Date(ms).toISOString().replace(/Z$/, '000')

export const novaUrl = ({ request }: NovaCall, path: string): string =>
  `${request.origin}/compute/v2.1/${path}`

/** From 2.102 on every GET refuses parameters that it does not know. */
export const checkQuery = (call: NovaCall, known: RegExp, since = '2.102'): void => {
  if (!has(call, since)) return
  for (const name of call.request.query.keys()) {
    if (known.test(name)) continue
    throw new ApiError(
      400,
      `Invalid input for query parameters ${name}. Additional properties are not allowed ('${name}' was unexpected)`,
    )
  }
}

/** A whole number of a query, or null without one. */
export const queryNumber = ({ request }: NovaCall, name: string): number | null => {
  const text = request.query.get(name)
  if (text === null) return null
  if (!/^\d+$/.test(text)) {
    throw new ApiError(
      400,
      `Invalid input for query parameters ${name}. Value: ${text}. '${text}' does not match '^[0-9]*$'`,
    )
  }
  return Number(text)
}
