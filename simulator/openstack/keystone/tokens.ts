import { randomBytes } from 'node:crypto'
import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import type { Federation, IssuedToken, TokenScope } from './keystone-state'
import { roleIdsOn } from './roles'

export const UNAUTHORIZED = 'The request you have made requires authentication.'

/** Has the form of a Fernet token and contains nothing. */
const newTokenId = (): string => `gAAAAAB${randomBytes(96).toString('base64url')}`
const newAuditId = (): string => randomBytes(16).toString('base64url')

/** Issues a token, or refuses when the user has no role where it should be valid. */
export const issueToken = (
  cloud: Cloud,
  input: {
    userId: string
    methods: string[]
    scope: TokenScope
    /** Of an application credential: these and no others. */
    roleIds?: string[]
    applicationCredentialId?: string
    federation?: Federation
    /** Of a token that this one is made from; it does not live longer. */
    from?: IssuedToken
  },
): IssuedToken => {
  const { keystone } = cloud
  const held = input.scope.kind === 'unscoped' ? [] : roleIdsOn(keystone, input.userId, input.scope)
  const roleIds = input.roleIds === undefined ? held : held.filter((id) => input.roleIds?.includes(id))
  if (input.scope.kind !== 'unscoped' && roleIds.length === 0) throw new ApiError(401, UNAUTHORIZED)
  const issuedAtMs = cloud.now().getTime()
  const token: IssuedToken = {
    id: newTokenId(),
    userId: input.userId,
    methods: input.methods,
    scope: input.scope,
    roleIds,
    issuedAtMs,
    expiresAtMs: input.from?.expiresAtMs ?? issuedAtMs + keystone.tokenLifetimeSeconds * 1000,
    auditIds: input.from === undefined ? [newAuditId()] : [newAuditId(), input.from.auditIds.at(-1) ?? ''],
    applicationCredentialId: input.applicationCredentialId ?? null,
    federation: input.federation ?? input.from?.federation ?? null,
  }
  keystone.tokens.set(token.id, token)
  return token
}

/** With the roles that the user has now, as Keystone reports them for a Fernet token; null when none is left. */
const withRolesNow = (cloud: Cloud, token: IssuedToken): IssuedToken | null => {
  if (token.scope.kind === 'unscoped') return token
  const held = roleIdsOn(cloud.keystone, token.userId, token.scope)
  const roleIds =
    token.applicationCredentialId === null ? held : token.roleIds.filter((id) => held.includes(id))
  return roleIds.length === 0 ? null : { ...token, roleIds }
}

/** A token that is known, not expired and not revoked, of a user and project that are enabled; else null. */
export const validToken = (cloud: Cloud, id: string | null): IssuedToken | null => {
  const token = id === null ? undefined : cloud.keystone.tokens.get(id)
  if (token === undefined || token.expiresAtMs <= cloud.now().getTime()) return null
  const user = cloud.keystone.users.find((each) => each.id === token.userId)
  if (user?.isEnabled !== true) return null
  const { scope } = token
  if (scope.kind !== 'project') return withRolesNow(cloud, token)
  return cloud.keystone.projects.find(({ id: projectId }) => projectId === scope.id)?.isEnabled === true
    ? withRolesNow(cloud, token)
    : null
}
