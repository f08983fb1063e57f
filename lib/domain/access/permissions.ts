import { ROLES, type Role } from '@/lib/schemas/roles'
import type { TokenAccess } from '@/lib/schemas/states'

type Permission = {
  roles: readonly Role[]
  verb: string
  access: TokenAccess
  /** Only a person signed in, never a script with an API token: a token may not prolong itself. */
  isPersonal?: true
}

const OVERSEERS = ['admin', 'reader'] as const

/** Who may do what. The server checks it in each service, the browser takes from it what to disable. */
export const PERMISSIONS = {
  'fleet.read': { roles: OVERSEERS, verb: 'see the fleet', access: 'read' },
  // What is frozen stays, so it is not for everybody who may look; previews are.
  'review.make': { roles: ['admin'], verb: 'freeze a review', access: 'write' },
  'audit.read': { roles: OVERSEERS, verb: 'read the audit', access: 'read' },
  'agent.list': { roles: OVERSEERS, verb: 'see agents', access: 'read' },
  'agent.revoke': { roles: ['admin'], verb: 'revoke an agent', access: 'write' },
  'enrollment.decide': { roles: ['admin'], verb: 'approve or decline an enrollment', access: 'write' },
  'host.remove': { roles: ['admin'], verb: 'remove, restore or merge a host', access: 'write' },
  'join-token.create': { roles: ['admin'], verb: 'create a join token', access: 'write' },
  'join-token.revoke': { roles: ['admin'], verb: 'revoke a join token', access: 'write' },
  'finding.acknowledge': { roles: ['admin'], verb: 'acknowledge a finding', access: 'write' },
  'change.plan': { roles: ['admin'], verb: 'plan a change', access: 'write' },
  // Its calls carry the Keystone token of the person, which a script's API token does not have.
  'change.run': { roles: ['admin'], verb: 'run a change', access: 'write', isPersonal: true },
  'change.approve': { roles: ['admin'], verb: 'approve a change', access: 'write', isPersonal: true },
  'kept-trait.end': { roles: ['admin'], verb: 'stop keeping a trait', access: 'write' },
  'webhook.list': { roles: OVERSEERS, verb: 'see webhooks', access: 'read' },
  'webhook.change': { roles: ['admin'], verb: 'change a webhook', access: 'write' },
  'api-alias.tell': { roles: ['admin'], verb: "set Nova's aliases", access: 'write' },
  'quota-driver.tell': { roles: ['admin'], verb: 'set the quota driver', access: 'write' },
  'quota-request.make': { roles: ROLES, verb: 'ask for more quota', access: 'write' },
  'quota-request.list-own': { roles: ROLES, verb: 'see quota requests', access: 'read' },
  // Approving starts a change, and declining is the same decision.
  'quota-request.decide': {
    roles: ['admin'],
    verb: 'approve or decline a quota request',
    access: 'write',
    isPersonal: true,
  },
  // Of the project that the sign-in is for, and of nothing else.
  'catalog.read': { roles: ROLES, verb: 'see GPU flavors', access: 'read' },
  'catalog.watch': { roles: ROLES, verb: 'watch a flavor', access: 'write' },
  'session.list': { roles: ROLES, verb: 'see your sessions', access: 'read', isPersonal: true },
  'session.end': { roles: ROLES, verb: 'end a session', access: 'write', isPersonal: true },
  'api-token.list': { roles: ROLES, verb: 'see API tokens', access: 'read', isPersonal: true },
  'api-token.list-all': {
    roles: ['admin'],
    verb: 'see all API tokens',
    access: 'read',
    isPersonal: true,
  },
  'api-token.create': { roles: ROLES, verb: 'create an API token', access: 'write', isPersonal: true },
  'api-token.revoke': { roles: ROLES, verb: 'revoke an API token', access: 'write', isPersonal: true },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof PERMISSIONS

/** Who asks: the console's roles, and the access of the API token that the request came with, if it came with one. */
export type Caller = { roles: readonly Role[]; apiToken?: TokenAccess | undefined }

const permissionOf = (action: Action): Permission => PERMISSIONS[action]

const isWithinToken = ({ access, isPersonal }: Permission, apiToken: TokenAccess | undefined): boolean =>
  apiToken === undefined || (isPersonal !== true && (apiToken === 'write' || access === 'read'))

/** True when one of the roles allows the action and the API token, if there is one, covers it. */
export const isAllowed = ({ roles, apiToken, action }: Caller & { action: Action }): boolean => {
  const permission = permissionOf(action)
  return roles.some((role) => permission.roles.includes(role)) && isWithinToken(permission, apiToken)
}

/** Why not, in one sentence for the person. Given the caller, it says when the API token alone is in the way. */
export const describeRefusal = (action: Action, caller?: Caller): string => {
  const { roles, verb, isPersonal } = permissionOf(action)
  const hasRole = caller?.roles.some((role) => roles.includes(role)) === true
  if (caller?.apiToken !== undefined && hasRole) {
    return isPersonal
      ? `No API token may ${verb}: sign in with a browser to do it.`
      : `To ${verb} takes an API token with write access: this one may only read.`
  }
  return `To ${verb} takes the role ${roles.join(' or ')}: ask an admin for it.`
}
