import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import type { ApiAnswer, ApiRequest } from '../http/api-request'
import type { Route, RouteParams } from '../http/router'
import type { IssuedToken } from './keystone-state'
import { hasRole } from './roles'
import { UNAUTHORIZED } from './tokens'

export type KeystoneCall = {
  cloud: Cloud
  request: ApiRequest
  params: RouteParams
  /** Of X-Auth-Token; null without a valid one. */
  caller: IssuedToken | null
}

export type KeystoneHandler = (call: KeystoneCall) => ApiAnswer
export type KeystoneRoute = Route<KeystoneHandler>

export const param = ({ params }: KeystoneCall, name: string): string => params[name] ?? ''

/** The caller's token, or 401. */
export const signedIn = ({ caller }: KeystoneCall): IssuedToken => {
  if (caller === null) throw new ApiError(401, UNAUTHORIZED)
  return caller
}

const forbid = (action: string): never => {
  throw new ApiError(403, `You are not authorized to perform the requested action: ${action}.`)
}

export const isCloudAdmin = ({ cloud, caller }: KeystoneCall): boolean =>
  caller !== null && hasRole(cloud.keystone, caller, 'admin')

export const isSystemReader = ({ cloud, caller }: KeystoneCall): boolean =>
  caller?.scope.kind === 'system' && hasRole(cloud.keystone, caller, 'reader')

/** Keystone's rule for reading others' things: admin anywhere, or reader on the system. */
export const needSystemReader = (call: KeystoneCall, action: string): void => {
  signedIn(call)
  if (!isCloudAdmin(call) && !isSystemReader(call)) forbid(action)
}

/** Keystone's rule for changing limits: admin; before 2023.1 on the system only. */
export const needLimitAdmin = (call: KeystoneCall, action: string): void => {
  const token = signedIn(call)
  const isWide = token.scope.kind === 'system' || !call.cloud.release.needsSystemScopeForLimits
  if (!isCloudAdmin(call) || !isWide) forbid(action)
}

/** `{"links": …}` that every collection of Keystone carries. */
export const collectionLinks = ({
  request,
}: KeystoneCall): { next: string | null; self: string; previous: null } => ({
  next: null,
  self: `${request.origin}/identity${request.path}${request.query.size === 0 ? '' : `?${request.query}`}`,
  previous: null,
})
