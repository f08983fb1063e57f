import 'server-only'
import { scopeRoleOf } from '@/lib/domain/access/scope-role'
import type { UserRole } from '@/lib/openstack/keystone/types'
import type { ScopeList } from '@/lib/schemas/api/session'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { SignInCloud } from '@/lib/server/context/sign-in'
import type { Session } from '@/lib/server/prisma-client/client'
import { scopeOf } from '@/lib/server/session/account-actor'
import { ownSessionToken } from './own-session'
import { readScopes } from './read-scopes'
import { tokenRefused } from './sign-in-error'

/**
 * The roles are a help to choose, so the choice works without them. After a sign-in through an identity provider they are
 * unknown: Keystone knows the groups of such a user only from the token.
 */
const readRoles = async (
  ctx: ServiceContext,
  { listUserRoles }: SignInCloud,
  row: Session,
): Promise<readonly UserRole[]> => {
  if (listUserRoles === undefined || row.method === 'websso') return []
  return listUserRoles(row.userId).catch((err: unknown) => {
    ctx.log.warn({ err, cloud: row.cloud }, 'The roles of an account could not be read')
    return []
  })
}

/** The scopes that the person may choose with the role that each gives, queried from Keystone again. */
export const listScopes = async (ctx: ServiceContext): Promise<ScopeList> => {
  const { row, signIn, cloud, unscopedId } = await ownSessionToken(ctx)
  const present = scopeOf(row)
  const owner = { domainId: row.userDomainId, domainName: row.userDomain }
  const [scopes, userRoles] = await Promise.all([
    readScopes(cloud, { tokenId: unscopedId, owner }).catch((error: unknown) => {
      throw tokenRefused(error, row.cloud)
    }),
    readRoles(ctx, cloud, row),
  ])
  return {
    user: row.userName,
    cloud: row.cloud,
    scopes: scopes.map((scope) => ({
      ...scope,
      role: scopeRoleOf({ scope, userRoles, names: signIn.roleNames }),
    })),
    present,
  }
}
