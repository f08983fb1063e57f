import type { Cloud } from '../cloud'
import type { ServerOperations } from '../compute/server-operations'
import { ApiError } from '../http/api-error'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import { findRoute } from '../http/router'
import type { HttpService } from '../http/serve-http'
import {
  isSince,
  type Microversion,
  microversionText,
  parseMicroversion,
  wantedVersion,
} from '../http/version'
import type { IssuedToken } from '../keystone/keystone-state'
import { hasRole } from '../keystone/roles'
import { UNAUTHORIZED, validToken } from '../keystone/tokens'
import { aggregateRoutes } from './aggregate-routes'
import { extraSpecRoutes } from './extra-spec-routes'
import { flavorAccessRoutes } from './flavor-access-routes'
import { flavorRoutes } from './flavor-routes'
import { hypervisorRoutes } from './hypervisor-routes'
import { imageRoutes } from './image-routes'
import { keyPairRoutes } from './key-pair-routes'
import { migrationRoutes } from './migration-routes'
import type { NovaCall, NovaRoute } from './nova-handler'
import { quotaRoutes } from './quota-routes'
import { serverActionRoutes } from './server-action-routes'
import { serverCreateRoutes } from './server-create-routes'
import { serverRoutes } from './server-routes'
import { serviceRoutes } from './service-routes'

const routes: NovaRoute[] = [
  ...serverRoutes,
  ...serverActionRoutes,
  ...serverCreateRoutes,
  ...serviceRoutes,
  ...hypervisorRoutes,
  ...flavorRoutes,
  ...extraSpecRoutes,
  ...flavorAccessRoutes,
  ...aggregateRoutes,
  ...migrationRoutes,
  ...quotaRoutes,
  ...imageRoutes,
  ...keyPairRoutes,
]
const routed = routes.map((route) => ({ method: route.method, path: route.path, handler: route }))

const MINIMUM: Microversion = { major: 2, minor: 1 }

/** Nova names the error in the body after its status. */
const NAMES: Record<number, string> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  429: 'overLimit',
  501: 'notImplemented',
}

const versionHeaders = (version: Microversion): Record<string, string> => ({
  'openstack-api-version': `compute ${microversionText(version)}`,
  'x-openstack-nova-api-version': microversionText(version),
  vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
})

const idHeaders = ({ requestId }: ApiRequest): Record<string, string> => ({
  'x-compute-request-id': requestId,
})

const errorAnswer = (request: ApiRequest, error: ApiError, version: Microversion | null): ApiAnswer => ({
  status: error.status,
  headers: { ...(version === null ? {} : versionHeaders(version)), ...idHeaders(request), ...error.headers },
  body: { [NAMES[error.status] ?? 'computeFault']: { code: error.status, message: error.message } },
})

const versionBody = (cloud: Cloud, { origin }: ApiRequest): unknown => ({
  id: 'v2.1',
  status: 'CURRENT',
  version: cloud.release.novaMaximum,
  min_version: microversionText(MINIMUM),
  updated: '2013-07-23T11:33:21Z',
  links: [{ rel: 'self', href: `${origin}/compute/v2.1/` }],
})

const OLD_VERSION = {
  id: 'v2.0',
  status: 'SUPPORTED',
  version: '',
  min_version: '',
  updated: '2011-01-21T11:33:21Z',
  links: [],
}

/** Versions are public. */
const discovery = (cloud: Cloud, request: ApiRequest): ApiAnswer | null => {
  if (request.method !== 'GET') return null
  if (request.path === '/') {
    return { status: 200, body: { versions: [OLD_VERSION, versionBody(cloud, request)] } }
  }
  if (/^\/v2\.1\/?$/.test(request.path))
    return { status: 200, body: { version: versionBody(cloud, request) } }
  return null
}

/** 2.1 when none is requested; the older header counts too. */
const versionOf = (cloud: Cloud, request: ApiRequest): Microversion => {
  const text =
    wantedVersion(headerOf(request, 'openstack-api-version'), 'compute') ??
    headerOf(request, 'x-openstack-nova-api-version')
  if (text === null) return MINIMUM
  const maximum = parseMicroversion(cloud.release.novaMaximum) ?? MINIMUM
  if (text === 'latest') return maximum
  const version = parseMicroversion(text)
  if (version === null) {
    throw new ApiError(
      400,
      `API Version String ${text} is of invalid format. Must be of format MajorNum.MinorNum.`,
    )
  }
  if (!isSince(version, '2.1') || !isSince(maximum, text)) {
    throw new ApiError(
      406,
      `Version ${text} is not supported by the API. Minimum is ${microversionText(MINIMUM)} and maximum is ${cloud.release.novaMaximum}.`,
    )
  }
  return version
}

/** All of Nova's rules are about projects: a token of the system gets nothing. */
const checkPolicy = (cloud: Cloud, caller: IssuedToken, { access, policy }: NovaRoute): void => {
  if (caller.scope.kind === 'project' && hasRole(cloud.keystone, caller, access)) return
  throw new ApiError(403, `Policy doesn't allow ${policy} to be performed.`)
}

const unauthorized = ({ origin }: ApiRequest): ApiAnswer => ({
  status: 401,
  headers: { 'www-authenticate': `Keystone uri="${origin}/identity"` },
  body: { error: { message: UNAUTHORIZED, code: 401, title: 'Unauthorized' } },
})

const notAcceptable = (cloud: Cloud, request: ApiRequest, error: ApiError): ApiAnswer => ({
  status: 406,
  headers: idHeaders(request),
  body: {
    computeFault: {
      code: 406,
      message: error.message,
      max_version: cloud.release.novaMaximum,
      min_version: microversionText(MINIMUM),
    },
  },
})

type RoutedCall = Pick<NovaCall, 'cloud' | 'request' | 'caller' | 'operations'>

const answerRouted = ({ cloud, request, caller, operations }: RoutedCall): ApiAnswer => {
  let version: Microversion | null = null
  try {
    version = versionOf(cloud, request)
    const match = findRoute(routed, { method: request.method, path: request.path.replace(/^\/v2\.1/, '') })
    if (match.kind === 'none') throw new ApiError(404, 'The resource could not be found.')
    if (match.kind === 'other-method')
      throw new ApiError(405, 'The method specified is not allowed for this resource.')
    checkPolicy(cloud, caller, match.handler)
    const projectId = caller.scope.kind === 'project' ? caller.scope.id : ''
    const call: NovaCall = {
      cloud,
      state: cloud.nova,
      operations,
      request,
      params: match.params,
      version,
      caller,
      projectId,
    }
    const answer = match.handler.handler(call)
    return { ...answer, headers: { ...versionHeaders(version), ...idHeaders(request), ...answer.headers } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 406 ? notAcceptable(cloud, request, error) : errorAnswer(request, error, version)
  }
}

/** Nova under `/compute/v2.1`. */
export const novaService = (cloud: Cloud, operations: ServerOperations): HttpService => ({
  name: 'nova',
  prefix: '/compute',
  malformed: (request) => errorAnswer(request, new ApiError(400, 'Malformed request body'), null),
  answer: (request) => {
    const found = discovery(cloud, request)
    if (found !== null) return found
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    return caller === null ? unauthorized(request) : answerRouted({ cloud, request, caller, operations })
  },
})
