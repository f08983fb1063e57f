import type { Cloud } from '../cloud'
import type { IssuedToken, KeystoneState } from './keystone-state'
import { rolesOf } from './roles'

/** Keystone's times have microseconds. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000Z')

const domainRef = (state: KeystoneState, id: string): { id: string; name: string } => ({
  id,
  name: state.domains.find((domain) => domain.id === id)?.name ?? id,
})

/** `token.catalog`: every service with its endpoints. */
export const catalogBody = ({ keystone }: Cloud): unknown[] =>
  keystone.services.map(({ id, type, name }) => ({
    endpoints: keystone.endpoints
      .filter((endpoint) => endpoint.serviceId === id)
      .map((endpoint) => ({
        id: endpoint.id,
        interface: endpoint.interface,
        region_id: endpoint.regionId,
        url: endpoint.url,
        region: endpoint.regionId,
      })),
    id,
    type,
    name,
  }))

const scopeBody = (state: KeystoneState, { scope }: IssuedToken): Record<string, unknown> => {
  switch (scope.kind) {
    case 'unscoped':
      return {}
    case 'system':
      return { system: { all: true } }
    case 'domain':
      return { domain: domainRef(state, scope.id) }
    case 'project': {
      const project = state.projects.find((each) => each.id === scope.id)
      if (project === undefined) return {}
      const { id, name, domainId } = project
      return { is_domain: false, project: { id, name, domain: domainRef(state, domainId) } }
    }
  }
}

/** The body of a token as `POST` and `GET /v3/auth/tokens` answer it. */
export const tokenBody = (cloud: Cloud, token: IssuedToken, hasCatalog: boolean): unknown => {
  const state = cloud.keystone
  const user = state.users.find((each) => each.id === token.userId)
  const isScoped = token.scope.kind !== 'unscoped'
  const credential = state.applicationCredentials.find((each) => each.id === token.applicationCredentialId)
  return {
    token: {
      methods: token.methods,
      user: {
        domain: domainRef(state, user?.domainId ?? ''),
        id: token.userId,
        name: user?.name,
        password_expires_at: null,
        ...(token.federation === null
          ? {}
          : {
              'OS-FEDERATION': {
                groups: [],
                identity_provider: { id: token.federation.providerId },
                protocol: { id: token.federation.protocol },
              },
            }),
      },
      audit_ids: token.auditIds,
      expires_at: timeText(token.expiresAtMs),
      issued_at: timeText(token.issuedAtMs),
      ...scopeBody(state, token),
      ...(isScoped ? { roles: rolesOf(state, token) } : {}),
      ...(isScoped && hasCatalog ? { catalog: catalogBody(cloud) } : {}),
      ...(credential === undefined
        ? {}
        : {
            application_credential: {
              id: credential.id,
              name: credential.name,
              restricted: !credential.isUnrestricted,
            },
          }),
    },
  }
}
