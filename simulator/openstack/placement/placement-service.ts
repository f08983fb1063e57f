import type { Cloud } from '../cloud'
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
import { allocationRoutes } from './allocation-routes'
import { candidateRoutes } from './candidates/candidate-routes'
import { CODES } from './codes'
import { inventoryRoutes } from './inventory-routes'
import type { PlacementRoute } from './placement-handler'
import { resourceClassRoutes } from './resource-class-routes'
import { resourceProviderRoutes } from './resource-provider-routes'
import { traitRoutes } from './trait-routes'

const routes: PlacementRoute[] = [
  ...resourceProviderRoutes,
  ...inventoryRoutes,
  ...traitRoutes,
  ...aggregateRoutes,
  ...resourceClassRoutes,
  ...allocationRoutes,
  ...candidateRoutes,
]
const routed = routes.map((route) => ({ method: route.method, path: route.path, handler: route }))

const MINIMUM: Microversion = { major: 1, minor: 0 }
const MAXIMUM: Microversion = { major: 1, minor: 39 }

/** Title and first sentence of webob's errors; the detail is below, between blanks. */
const LABELS: Record<number, [title: string, explanation: string]> = {
  400: [
    'Bad Request',
    'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  ],
  403: ['Forbidden', 'Access was denied to this resource.'],
  404: ['Not Found', 'The resource could not be found.'],
  405: ['Method Not Allowed', 'The method specified is not allowed for this resource.'],
  406: [
    'Not Acceptable',
    'The resource could not be generated that was acceptable to your browser (content of type application/json).',
  ],
  409: ['Conflict', 'There was a conflict when trying to complete your request.'],
  415: ['Unsupported Media Type', 'The request media type is not supported by this server.'],
}

const errorAnswer = (request: ApiRequest, error: ApiError, version: Microversion | null): ApiAnswer => {
  const [title, explanation] = LABELS[error.status] ?? ['Error', 'The request failed.']
  const bounds = { max_version: microversionText(MAXIMUM), min_version: microversionText(MINIMUM) }
  return {
    status: error.status,
    headers: { ...versionHeaders(version), ...error.headers },
    body: {
      errors: [
        {
          status: error.status,
          title,
          detail: `${explanation}\n\n ${error.message}  `,
          ...(version !== null && isSince(version, '1.23') ? { code: error.code ?? CODES.undefined } : {}),
          request_id: request.requestId,
          ...(error.status === 406 && version === null ? bounds : {}),
        },
      ],
    },
  }
}

const versionHeaders = (version: Microversion | null): Record<string, string> => ({
  vary: 'OpenStack-API-Version',
  ...(version === null ? {} : { 'openstack-api-version': `placement ${microversionText(version)}` }),
})

const discovery = (): ApiAnswer => ({
  status: 200,
  body: {
    versions: [
      {
        id: 'v1.0',
        max_version: microversionText(MAXIMUM),
        min_version: microversionText(MINIMUM),
        status: 'CURRENT',
        links: [{ rel: 'self', href: '' }],
      },
    ],
  },
})

/** 1.0 when none is requested. */
const versionOf = (request: ApiRequest): Microversion => {
  const text = wantedVersion(headerOf(request, 'openstack-api-version'), 'placement')
  if (text === null) return MINIMUM
  if (text === 'latest') return MAXIMUM
  const version = parseMicroversion(text)
  if (version === null) throw new ApiError(400, `invalid version string: ${text}`)
  if (!isSince(version, '1.0') || !isSince(MAXIMUM, text)) {
    throw new ApiError(406, `Unacceptable version header: ${text}`)
  }
  return version
}

/** Admin or service role, scoped to a project; a project's reader only where the route allows it. */
const checkPolicy = (cloud: Cloud, caller: IssuedToken, route: PlacementRoute): void => {
  const isProject = caller.scope.kind === 'project'
  const mayAll = ['admin', 'service'].some((role) => hasRole(cloud.keystone, caller, role))
  const mayRead = route.isOpenToReaders === true && hasRole(cloud.keystone, caller, 'reader')
  if (isProject && (mayAll || mayRead)) return
  throw new ApiError(403, `Policy does not allow ${route.policy} to be performed.`)
}

const unauthorized = ({ origin }: ApiRequest): ApiAnswer => ({
  status: 401,
  headers: { 'www-authenticate': `Keystone uri="${origin}/identity"` },
  body: { error: { message: UNAUTHORIZED, code: 401, title: 'Unauthorized' } },
})

const answerRouted = (cloud: Cloud, request: ApiRequest, caller: IssuedToken): ApiAnswer => {
  let version: Microversion | null = null
  try {
    version = versionOf(request)
    const match = findRoute(routed, request)
    const isTooNew = match.kind === 'found' && !isSince(version, match.handler.since ?? '1.0')
    if (match.kind === 'none' || isTooNew) throw new ApiError(404, '')
    if (match.kind === 'other-method') {
      throw new ApiError(405, 'The method specified is not allowed for this resource.', {
        headers: { allow: match.allowed.join(', ') },
      })
    }
    const route = match.handler
    checkPolicy(cloud, caller, route)
    const answer = route.handler({
      cloud,
      state: cloud.placement,
      request,
      params: match.params,
      version,
      caller,
    })
    return {
      ...answer,
      headers: { ...versionHeaders(version), 'cache-control': 'no-cache', ...answer.headers },
    }
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(request, error, version)
    throw error
  }
}

/** Placement under `/placement`. */
export const placementService = (cloud: Cloud): HttpService => ({
  name: 'placement',
  prefix: '/placement',
  malformed: (request) => errorAnswer(request, new ApiError(400, 'Malformed JSON'), MINIMUM),
  answer: (request) => {
    if (request.path === '/') return discovery()
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    return caller === null ? unauthorized(request) : answerRouted(cloud, request, caller)
  },
})
