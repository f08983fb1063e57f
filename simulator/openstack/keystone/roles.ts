import type { IssuedToken, KeystoneState, Role, ScopeTarget } from './keystone-state'

/** Keystone's default implied roles: who is admin is also manager, member and reader. */
const IMPLIED: Record<string, string[]> = {
  admin: ['manager', 'member', 'reader'],
  manager: ['member', 'reader'],
  member: ['reader'],
}

const isSameTarget = (a: ScopeTarget, b: ScopeTarget): boolean =>
  a.kind === 'system' || b.kind === 'system' ? a.kind === b.kind : a.kind === b.kind && a.id === b.id

/** Ids of the roles that a user has on a target, implied ones included. */
export const roleIdsOn = (state: KeystoneState, userId: string, target: ScopeTarget): string[] => {
  const names = new Set<string>()
  for (const assignment of state.assignments) {
    if (assignment.userId !== userId || !isSameTarget(assignment.target, target)) continue
    const name = state.roles.find((role) => role.id === assignment.roleId)?.name
    if (name === undefined) continue
    for (const each of [name, ...(IMPLIED[name] ?? [])]) names.add(each)
  }
  return state.roles.filter((role) => names.has(role.name)).map((role) => role.id)
}

export const rolesOf = (state: KeystoneState, token: IssuedToken): Role[] =>
  state.roles.filter((role) => token.roleIds.includes(role.id))

export const hasRole = (state: KeystoneState, token: IssuedToken, name: string): boolean =>
  rolesOf(state, token).some((role) => role.name === name)
