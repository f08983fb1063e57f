import 'server-only'
import type { ScopeList } from '@/lib/schemas/api/session'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { scopeOf } from '@/lib/server/session/account-actor'
import { ownSessionToken } from './own-session'
import { readScopes } from './read-scopes'
import { tokenRefused } from './sign-in-error'

/** The scopes that the person may choose, queried from Keystone again. */
export const listScopes = async (ctx: ServiceContext): Promise<ScopeList> => {
  const { row, cloud, unscopedId } = await ownSessionToken(ctx)
  const present = scopeOf(row)
  const owner = { domainId: row.userDomainId, domainName: row.userDomain }
  const scopes = await readScopes(cloud, { tokenId: unscopedId, owner }).catch((error: unknown) => {
    throw tokenRefused(error, row.cloud)
  })
  return { user: row.userName, cloud: row.cloud, scopes, present }
}
