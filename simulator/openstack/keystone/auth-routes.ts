import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import { type ApiAnswer, headerOf } from '../http/api-request'
import { authenticate, MoreFactorsWanted } from './authenticate'
import {
  collectionLinks,
  isCloudAdmin,
  isSystemReader,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  signedIn,
} from './keystone-handler'
import type { IssuedToken } from './keystone-state'
import { domainBody, projectBody } from './resource-bodies'
import { roleIdsOn } from './roles'
import { catalogBody, tokenBody } from './token-body'
import { validToken } from './tokens'

const RECEIPT_SECONDS = 300

const receipt = (cloud: Cloud, { user, methods }: MoreFactorsWanted): ApiAnswer => {
  const issuedAt = cloud.now()
  const domain = cloud.keystone.domains.find(({ id }) => id === user.domainId)
  return {
    status: 401,
    headers: { 'openstack-auth-receipt': `receipt-of-${user.id}` },
    body: {
      receipt: {
        methods,
        user: { id: user.id, name: user.name, domain: { id: user.domainId, name: domain?.name ?? '' } },
        issued_at: issuedAt.toISOString(),
        expires_at: new Date(issuedAt.getTime() + RECEIPT_SECONDS * 1000).toISOString(),
      },
      required_auth_methods: user.factorRules ?? [],
    },
  }
}

const tokenOrReceipt = (cloud: Cloud, body: unknown): IssuedToken | MoreFactorsWanted => {
  try {
    return authenticate(cloud, body)
  } catch (error) {
    if (error instanceof MoreFactorsWanted) return error
    throw error
  }
}

const create: KeystoneHandler = ({ cloud, request }) => {
  const token = tokenOrReceipt(cloud, request.body)
  if (token instanceof MoreFactorsWanted) return receipt(cloud, token)
  return {
    status: 201,
    headers: { 'x-subject-token': token.id, vary: 'X-Auth-Token' },
    body: tokenBody(cloud, token, !request.query.has('nocatalog')),
  }
}

/** The token that X-Subject-Token names: one's own, or anybody's for those who may look. */
const subject = (call: KeystoneCall, action: string): IssuedToken => {
  const caller = signedIn(call)
  const found = validToken(call.cloud, headerOf(call.request, 'x-subject-token'))
  if (found === null) throw new ApiError(404, 'Could not find token.')
  if (found.userId !== caller.userId && !isCloudAdmin(call) && !isSystemReader(call)) {
    throw new ApiError(403, `You are not authorized to perform the requested action: ${action}.`)
  }
  return found
}

const validate: KeystoneHandler = (call) => {
  const token = subject(call, 'identity:validate_token')
  return {
    status: 200,
    headers: { 'x-subject-token': token.id, vary: 'X-Auth-Token' },
    ...(call.request.method === 'HEAD'
      ? {}
      : { body: tokenBody(call.cloud, token, !call.request.query.has('nocatalog')) }),
  }
}

const revoke: KeystoneHandler = (call) => {
  call.cloud.keystone.tokens.delete(subject(call, 'identity:revoke_token').id)
  return { status: 204 }
}

const projects: KeystoneHandler = (call) => {
  const { userId } = signedIn(call)
  const { keystone } = call.cloud
  const own = keystone.projects.filter(
    ({ id, isEnabled }) => isEnabled && roleIdsOn(keystone, userId, { kind: 'project', id }).length > 0,
  )
  return {
    status: 200,
    body: { links: collectionLinks(call), projects: own.map((each) => projectBody(call, each)) },
  }
}

const domains: KeystoneHandler = (call) => {
  const { userId } = signedIn(call)
  const { keystone } = call.cloud
  const own = keystone.domains.filter(
    ({ id, isEnabled }) => isEnabled && roleIdsOn(keystone, userId, { kind: 'domain', id }).length > 0,
  )
  return {
    status: 200,
    body: { links: collectionLinks(call), domains: own.map((each) => domainBody(call, each)) },
  }
}

const system: KeystoneHandler = (call) => {
  const { userId } = signedIn(call)
  const isOn = roleIdsOn(call.cloud.keystone, userId, { kind: 'system' }).length > 0
  return { status: 200, body: { links: collectionLinks(call), system: isOn ? [{ all: true }] : [] } }
}

const catalog: KeystoneHandler = (call) => {
  if (signedIn(call).scope.kind === 'unscoped') {
    throw new ApiError(
      403,
      'You are not authorized to perform the requested action: get a catalog without a scope.',
    )
  }
  return { status: 200, body: { catalog: catalogBody(call.cloud), links: collectionLinks(call) } }
}

export const authRoutes: KeystoneRoute[] = [
  { method: 'POST', path: '/v3/auth/tokens', handler: create },
  { method: 'GET', path: '/v3/auth/tokens', handler: validate },
  { method: 'HEAD', path: '/v3/auth/tokens', handler: validate },
  { method: 'DELETE', path: '/v3/auth/tokens', handler: revoke },
  { method: 'GET', path: '/v3/auth/projects', handler: projects },
  { method: 'GET', path: '/v3/auth/domains', handler: domains },
  { method: 'GET', path: '/v3/auth/system', handler: system },
  { method: 'GET', path: '/v3/auth/catalog', handler: catalog },
]
