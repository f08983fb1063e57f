import type { Role } from '@/lib/schemas/roles'
import { consoleRoleOf, type RoleNames } from './console-roles'

type ScopeRef = { kind: 'system' } | { kind: 'project'; id: string }

const isSame = (left: ScopeRef, right: ScopeRef): boolean =>
  left.kind === 'system' ? right.kind === 'system' : right.kind === 'project' && left.id === right.id

/**
 * The role in the console that a scope would give a user with these Keystone roles; `none`: no access. Null where no role on
 * the scope is listed: the user has one, or could not select the scope, so the list does not cover it.
 */
export const scopeRoleOf = ({
  scope,
  userRoles,
  names,
}: {
  scope: ScopeRef
  userRoles: readonly { role: string; scope: ScopeRef }[]
  names: RoleNames
}): Role | 'none' | null => {
  const roles = userRoles.filter((one) => isSame(one.scope, scope)).map(({ role }) => role)
  return roles.length === 0 ? null : (consoleRoleOf({ scope: scope.kind, roles, names }) ?? 'none')
}
