import 'server-only'
import { ROLES, type Role } from '@/lib/schemas/roles'
import type { Account, AccountScope, Actor } from '@/lib/server/context/service-context'

/** The stored role; none where this version does not know it. */
export const rolesOf = (role: string | null): Role[] => ROLES.filter((known) => known === role)

type ScopeColumns = {
  scopeKind: string | null
  projectId: string | null
  projectName: string | null
  projectDomain: string | null
}

export const scopeOf = (row: ScopeColumns): AccountScope | null => {
  if (row.scopeKind === 'system') return { kind: 'system' }
  if (row.scopeKind !== 'project' || row.projectId === null) return null
  return {
    kind: 'project',
    id: row.projectId,
    name: row.projectName ?? row.projectId,
    domain: row.projectDomain ?? '',
  }
}

/** Keystone names are unique within a domain only. */
export const actorName = ({ userName, userDomain }: { userName: string; userDomain: string }): string =>
  `${userName}@${userDomain}`

type AccountColumns = ScopeColumns &
  Pick<Account, 'cloud' | 'userId' | 'userName' | 'userDomain'> & { role: string | null }

/** The person of a stored session or API token. */
export const accountActor = (row: AccountColumns, source: Account['source']): Actor => ({
  kind: 'user',
  name: actorName(row),
  roles: rolesOf(row.role),
  account: {
    cloud: row.cloud,
    userId: row.userId,
    userName: row.userName,
    userDomain: row.userDomain,
    scope: scopeOf(row),
    source,
  },
})

/** Who a signed-in browser acts as. */
export const sessionActor = (row: AccountColumns & { id: number; hash: string }): Actor =>
  accountActor(row, { kind: 'session', sessionId: row.id, sessionHash: row.hash })
