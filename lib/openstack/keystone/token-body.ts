import * as z from 'zod'
import type { DomainRef, ProjectRef, UserRef } from '../clouds/cloud-config'
import type { Identity, Scope, Token, TokenScope } from './types'

const userBody = (user: UserRef) =>
  'id' in user ? { id: user.id } : { name: user.name, domain: user.domain }

const identityBody = (identity: Identity) => {
  if (identity.method === 'token') return { methods: ['token'], token: { id: identity.tokenId } }
  if (identity.method === 'password') {
    const user = userBody(identity.user)
    const password = { user: { ...user, password: identity.password } }
    if (identity.passcode === undefined) return { methods: ['password'], password }
    const totp = { user: { ...user, passcode: identity.passcode } }
    return { methods: ['password', 'totp'], password, totp }
  }
  const { credential, secret } = identity
  const named = 'id' in credential ? credential : { name: credential.name, user: userBody(credential.user) }
  return { methods: ['application_credential'], application_credential: { ...named, secret } }
}

const projectBody = (project: ProjectRef) =>
  'id' in project ? { id: project.id } : { name: project.name, domain: project.domain }

const scopeBody = (
  scope: Scope,
):
  | { project: unknown }
  | { 'OS-TRUST:trust': { id: string } }
  | { domain: DomainRef }
  | { system: unknown }
  | string => {
  if (scope.kind === 'project') return { project: projectBody(scope.project) }
  if (scope.kind === 'trust') return { 'OS-TRUST:trust': { id: scope.trustId } }
  if (scope.kind === 'domain') return { domain: scope.domain }
  return scope.kind === 'system' ? { system: { all: true } } : 'unscoped'
}

/** An application credential is bound to its project and refuses every scope, so none is sent. */
export const authBody = ({ identity, scope }: { identity: Identity; scope: Scope }) => ({
  auth: {
    identity: identityBody(identity),
    ...(identity.method === 'application_credential' ? {} : { scope: scopeBody(scope) }),
  },
})

/** What must not stand in an error text. */
export const secretsOf = (identity: Identity): string[] => {
  if (identity.method === 'token') return [identity.tokenId]
  if (identity.method === 'application_credential') return [identity.secret]
  return [identity.password, ...(identity.passcode === undefined ? [] : [identity.passcode])]
}

export const domainSchema = z.object({ id: z.string(), name: z.string() })
export const namedSchema = z.object({ id: z.string(), name: z.string(), domain: domainSchema })

export const tokenSchema = z.object({
  token: z.object({
    expires_at: z.string(),
    issued_at: z.string(),
    methods: z.array(z.string()).default([]),
    user: namedSchema,
    project: namedSchema.optional(),
    domain: domainSchema.optional(),
    system: z.object({ all: z.boolean().optional() }).optional(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
    catalog: z
      .array(
        z.object({
          // Keystone's templated catalog has no ids (2024.1: keystone/catalog/backends/templated.py).
          id: z.string().nullish(),
          type: z.string(),
          name: z.string().nullish(),
          endpoints: z.array(
            z.object({
              id: z.string().nullish(),
              interface: z.string(),
              region_id: z.string().nullish(),
              region: z.string().nullish(),
              url: z.string(),
            }),
          ),
        }),
      )
      .default([]),
  }),
})

type RawToken = z.infer<typeof tokenSchema>['token']

const toScope = (raw: RawToken): TokenScope => {
  if (raw.project !== undefined) {
    const { id, name, domain } = raw.project
    return { kind: 'project', id, name, domainId: domain.id, domainName: domain.name }
  }
  if (raw.domain !== undefined) return { kind: 'domain', ...raw.domain }
  return raw.system === undefined ? { kind: 'unscoped' } : { kind: 'system' }
}

const remainingMsOf = (raw: RawToken, keystoneMs: number | null): number => {
  const ms = Date.parse(raw.expires_at) - (keystoneMs ?? Date.parse(raw.issued_at))
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/**
 * Keystone's answer as a token; `id` comes from the header X-Subject-Token. `keystoneMs`: Keystone's clock when it answered; null:
 * as when the token was issued, which holds for a new one.
 */
export const toToken = (id: string, raw: RawToken, keystoneMs: number | null = null): Token => ({
  id,
  expiresAt: raw.expires_at,
  issuedAt: raw.issued_at,
  remainingMs: remainingMsOf(raw, keystoneMs),
  methods: raw.methods,
  user: {
    id: raw.user.id,
    name: raw.user.name,
    domainId: raw.user.domain.id,
    domainName: raw.user.domain.name,
  },
  scope: toScope(raw),
  roles: raw.roles,
  catalog: raw.catalog.map((entry) => ({
    id: entry.id ?? null,
    type: entry.type,
    name: entry.name ?? null,
    endpoints: entry.endpoints.map((endpoint) => ({
      id: endpoint.id ?? null,
      interface: endpoint.interface,
      regionId: endpoint.region_id ?? endpoint.region ?? null,
      url: endpoint.url,
    })),
  })),
})
