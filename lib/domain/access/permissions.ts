import { ROLES, type Role } from '@/lib/schemas/roles'

const OVERSEERS = ['admin', 'reader'] as const

/** The roles that each action needs. The server checks them in each service, and the browser disables what they do not allow. */
export const ACTION_ROLES = {
  'fleet.read': OVERSEERS,
  // A saved review is permanent. Previews need fleet.read only.
  'review.make': ['admin'],
  'audit.read': OVERSEERS,
  'agent.list': OVERSEERS,
  'agent.revoke': ['admin'],
  'enrollment.decide': ['admin'],
  'host.remove': ['admin'],
  'join-token.create': ['admin'],
  'join-token.revoke': ['admin'],
  'finding.acknowledge': ['admin'],
  'view.save': OVERSEERS,
  // Shared views are shown to everyone.
  'view.share': ['admin'],
  'change.plan': ['admin'],
  'change.run': ['admin'],
  'change.approve': ['admin'],
  'kept-trait.end': ['admin'],
  'webhook.list': OVERSEERS,
  'webhook.change': ['admin'],
  'price.add': ['admin'],
  'scenario.save': ['admin'],
  'api-alias.set': ['admin'],
  'quota-driver.set': ['admin'],
  'quota-request.make': ROLES,
  'quota-request.list-own': ROLES,
  'quota-request.decide': ['admin'],
  // Limited to the project of the session.
  'catalog.read': ROLES,
  'catalog.watch': ROLES,
  'server.choose': ROLES,
  // Nova requires a role that may write, which a reader does not have.
  'server.create': ['admin', 'tenant'],
  'session.list': ROLES,
  'session.end': ROLES,
  'api-token.list': ROLES,
  'api-token.list-all': ['admin'],
  'api-token.create': ROLES,
  'api-token.revoke': ROLES,
} as const satisfies Record<string, readonly Role[]>

export type Action = keyof typeof ACTION_ROLES

/** True when one of the roles allows the action. */
export const isAllowed = ({ roles, action }: { roles: readonly Role[]; action: Action }): boolean => {
  const allowed: readonly Role[] = ACTION_ROLES[action]
  return roles.some((role) => allowed.includes(role))
}
