import * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import { parseAnswer } from '../parse-answer'
import type { Transport } from '../transport/types'
import { createKeystoneLimits } from './create-keystone-limits'
import { createKeystoneCall, type KeystoneCall, toBaseUrl } from './keystone-call'
import { createKeystoneLists } from './keystone-lists'
import { createSystemRoles } from './system-roles'
import { authBody, secretsOf, tokenSchema, toToken } from './token-body'
import type { Keystone } from './types'
import { createUserRoles } from './user-roles'

type CreateKeystoneInput = {
  transport: Transport
  /** With or without `/v3`. */
  authUrl: string
  /** For requests with a token; null: `authUrl`. */
  apiUrl?: string | null
  cloud: string
  /** Receives how far Keystone's clock is ahead of this machine's, with every new token. */
  onClockDifference?: ((differenceMs: number) => void) | undefined
}

export const systemSchema = z.object({ system: z.array(z.object({ all: z.boolean().optional() })) })
export const versionSchema = z.object({ version: z.object({ id: z.string().regex(/^v\d+\.\d+$/) }) })

/** A policy or a proxy that does not let users read the system's scope: then they do not have it. */
const WITHOUT_SYSTEM_SCOPE = [403, 404, 405, 410, 501]

/** Keystone v3 of one cloud. Every function throws OpenStackError. */
export const createKeystone = (input: CreateKeystoneInput): Keystone => {
  const call = createKeystoneCall(input)
  return {
    ...createTokenCalls(call, input.onClockDifference),
    ...createKeystoneLists(call),
    ...createSystemRoles(call),
    ...createUserRoles(call),
    limits: createKeystoneLimits(call),
    hasSystemScope: async (tokenId, meter) => {
      const answer = await call.send({
        method: 'GET',
        path: '/auth/system',
        tokenId,
        meter,
        acceptStatuses: WITHOUT_SYSTEM_SCOPE,
      })
      if (answer.status !== 200) return false
      const what = 'GET /v3/auth/system'
      const { system } = parseAnswer({
        schema: systemSchema,
        answer,
        service: 'keystone',
        cloud: call.cloud,
        what,
      })
      return system.some((scope) => scope.all === true)
    },
    webSsoUrl: ({ origin, protocol, identityProvider, keystoneUrl }) => {
      const name = encodeURIComponent(protocol)
      const path =
        identityProvider === undefined || identityProvider === null
          ? `/auth/OS-FEDERATION/websso/${name}`
          : `/auth/OS-FEDERATION/identity_providers/${encodeURIComponent(identityProvider)}/protocols/${name}/websso`
      const baseUrl =
        keystoneUrl === undefined || keystoneUrl === null ? call.baseUrl : toBaseUrl(keystoneUrl)
      return `${baseUrl}${path}?origin=${encodeURIComponent(origin)}`
    },
    version: async ({ meter } = {}) => {
      const { version } = await call.read(versionSchema, { method: 'GET', path: '/', meter })
      return version.id.slice(1)
    },
  }
}

const createTokenCalls = (
  call: KeystoneCall,
  onClockDifference: CreateKeystoneInput['onClockDifference'],
): Pick<Keystone, 'authenticate' | 'validate' | 'revoke'> => ({
  authenticate: async ({ identity, scope, meter }) => {
    const sentMs = Date.now()
    const answer = await call.send({
      method: 'POST',
      path: '/auth/tokens',
      body: authBody({ identity, scope }),
      secrets: secretsOf(identity),
      meter,
    })
    const { token } = parseAnswer({
      schema: tokenSchema,
      answer,
      service: 'keystone',
      cloud: call.cloud,
      what: 'POST /v3/auth/tokens',
    })
    const id = answer.headers['x-subject-token']
    if (id === undefined || id === '') throw missingToken(call, answer.requestId)
    const issuedMs = Date.parse(token.issued_at)
    if (Number.isFinite(issuedMs)) onClockDifference?.(issuedMs - (sentMs + Date.now()) / 2)
    return toToken(id, token)
  },
  validate: async ({ tokenId, meter }) => {
    const path = '/auth/tokens'
    const answer = await call.send({
      method: 'GET',
      path,
      tokenId,
      subjectTokenId: tokenId,
      acceptStatuses: [401, 404],
      meter,
    })
    if (answer.status !== 200) return null
    const { token } = parseAnswer({
      schema: tokenSchema,
      answer,
      service: 'keystone',
      cloud: call.cloud,
      what: 'GET /v3/auth/tokens',
    })
    return toToken(tokenId, token, Date.parse(answer.headers.date ?? '') || Date.now())
  },
  revoke: async ({ tokenId, meter }) => {
    await call.send({
      method: 'DELETE',
      path: '/auth/tokens',
      tokenId,
      subjectTokenId: tokenId,
      acceptStatuses: [401, 404],
      meter,
    })
  },
})

const missingToken = (call: KeystoneCall, requestId: string | null) =>
  new OpenStackError(
    `Keystone of cloud "${call.cloud}" answered without the header X-Subject-Token; check proxies in between.`,
    { kind: 'invalid-answer', service: 'keystone', cloud: call.cloud, requestId },
  )
