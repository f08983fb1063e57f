import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import { findRoute } from '../http/router'
import type { HttpService } from '../http/serve-http'
import { applicationCredentialRoutes } from './application-credential-routes'
import { authRoutes } from './auth-routes'
import { identityRoutes } from './identity-routes'
import type { KeystoneRoute } from './keystone-handler'
import { limitRoutes } from './limit-routes'
import { registeredLimitRoutes } from './registered-limit-routes'
import { systemRoleRoutes } from './system-role-routes'
import { validToken } from './tokens'
import { webSsoRoutes } from './web-sso-routes'

const routes: KeystoneRoute[] = [
  ...authRoutes,
  ...webSsoRoutes,
  ...identityRoutes,
  ...systemRoleRoutes,
  ...registeredLimitRoutes,
  ...limitRoutes,
  ...applicationCredentialRoutes,
]

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
}

const VARY = { vary: 'X-Auth-Token' }

const errorAnswer = (request: ApiRequest, error: ApiError): ApiAnswer => ({
  status: error.status,
  headers: {
    ...VARY,
    ...(error.status === 401 ? { 'www-authenticate': `Keystone uri="${request.origin}/identity"` } : {}),
    ...error.headers,
  },
  body: {
    error: { code: error.status, message: error.message, title: TITLES[error.status] ?? 'Error' },
  },
})

const versionBody = ({ origin }: ApiRequest): unknown => ({
  id: 'v3.14',
  status: 'stable',
  updated: '2020-04-07T00:00:00Z',
  links: [{ rel: 'self', href: `${origin}/identity/v3/` }],
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
})

/** Versions are public. */
const discovery = (request: ApiRequest): ApiAnswer | null => {
  if (request.method !== 'GET') return null
  if (request.path === '/') return { status: 300, body: { versions: { values: [versionBody(request)] } } }
  if (/^\/v3\/?$/.test(request.path)) return { status: 200, body: { version: versionBody(request) } }
  return null
}

/** Keystone under `/identity`, as DevStack and many deployments have it. */
export const keystoneService = (cloud: Cloud): HttpService => ({
  name: 'keystone',
  prefix: '/identity',
  malformed: (request) =>
    errorAnswer(
      request,
      new ApiError(400, 'The request body is not valid JSON. The client is assumed to be in error.'),
    ),
  answer: (request) => {
    const found = discovery(request)
    if (found !== null) return found
    try {
      const match = findRoute(routes, request)
      if (match.kind === 'none') throw new ApiError(404, 'The resource could not be found.')
      if (match.kind === 'other-method') {
        throw new ApiError(405, 'The method is not allowed for the requested URL.', {
          headers: { allow: match.allowed.join(', ') },
        })
      }
      const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
      const answer = match.handler({ cloud, request, params: match.params, caller })
      return { ...answer, headers: { ...VARY, ...answer.headers } }
    } catch (error) {
      if (error instanceof ApiError) return errorAnswer(request, error)
      throw error
    }
  },
})
