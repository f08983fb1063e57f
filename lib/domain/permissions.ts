export type Role = 'admin' | 'reader' | 'tenant'

type Permission = { roles: readonly Role[]; verb: string }

/** Who may do what. The server checks it in each service, the browser takes from it what to disable. */
export const PERMISSIONS = {
  'fleet.read': { roles: ['admin', 'reader'], verb: 'see the fleet' },
  'agent.list': { roles: ['admin', 'reader'], verb: 'see agents and join tokens' },
  'agent.revoke': { roles: ['admin'], verb: 'revoke an agent' },
  'join-token.create': { roles: ['admin'], verb: 'create a join token' },
  'join-token.revoke': { roles: ['admin'], verb: 'revoke a join token' },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof PERMISSIONS

/** True when one of the roles allows the action. */
export const isAllowed = ({ roles, action }: { roles: readonly Role[]; action: Action }): boolean => {
  const allowed: readonly Role[] = PERMISSIONS[action].roles
  return roles.some((role) => allowed.includes(role))
}

/** Why not, in one sentence for the person. */
export const describeRefusal = (action: Action): string => {
  const { roles, verb } = PERMISSIONS[action]
  return `To ${verb} takes the role ${roles.join(' or ')}: ask an admin for it.`
}
