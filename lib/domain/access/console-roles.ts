import type { Role } from '@/lib/schemas/roles'
import type { ScopeKind } from '@/lib/schemas/states'

/** Keystone role names that this installation reads as admin and as reader; compared without case, as Keystone does. */
export type RoleNames = { admin: readonly string[]; reader: readonly string[] }

/** Roles that Keystone itself defines; each implies those after it. On the system, all of them may read everything. */
const SYSTEM_READERS = ['manager', 'member', 'reader']

const includesName = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase())

/**
 * The one table from a Keystone token to the console's role.
 *
 * | token | role |
 * | --- | --- |
 * | project or system, a role of `names.admin` | admin |
 * | system, Keystone's manager, member or reader | reader |
 * | project or system, a role of `names.reader` | reader |
 * | project, any other role | tenant |
 * | system, any other role | none: null |
 *
 * Admin on any project is admin: Nova's and Placement's default policies treat it so (keystone bug 968696).
 */
export const consoleRoleOf = ({
  scope,
  roles,
  names,
}: {
  scope: ScopeKind
  roles: readonly string[]
  names: RoleNames
}): Role | null => {
  const has = (wanted: readonly string[]) => roles.some((role) => includesName(wanted, role))
  if (has(names.admin)) return 'admin'
  if (has(names.reader) || (scope === 'system' && has(SYSTEM_READERS))) return 'reader'
  return scope === 'project' && roles.length > 0 ? 'tenant' : null
}

const RANK: Record<Role, number> = { tenant: 1, reader: 2, admin: 3 }

/** Whether a role has fewer permissions than the one before; null is no role. */
export const isLesserRole = (role: Role | null, before: Role | null): boolean =>
  (role === null ? 0 : RANK[role]) < (before === null ? 0 : RANK[before])
