import type { Role } from '@/lib/schemas/roles'
import type { TokenAccess } from '@/lib/schemas/states'
import { ACTION_VERBS, describeRefusal } from './describe-refusal'
import { type Action, isAllowed } from './permissions'

/** The access that an API token needs for each action. `never`: the action needs a person who is signed in. */
export const ACTION_TOKEN_ACCESS: Readonly<Record<Action, TokenAccess | 'never'>> = {
  'fleet.read': 'read',
  'review.make': 'write',
  'audit.read': 'read',
  'agent.list': 'read',
  'agent.revoke': 'write',
  'enrollment.decide': 'write',
  'host.remove': 'write',
  'join-token.create': 'write',
  'join-token.revoke': 'write',
  'finding.acknowledge': 'write',
  'view.save': 'write',
  'view.share': 'write',
  'change.plan': 'write',
  // A step's calls carry the Keystone token of a person, which an API token does not have.
  'change.run': 'never',
  'change.approve': 'never',
  'kept-trait.end': 'write',
  'webhook.list': 'read',
  'webhook.change': 'write',
  'price.add': 'write',
  'scenario.save': 'write',
  'api-alias.set': 'write',
  'quota-driver.set': 'write',
  'quota-request.make': 'write',
  'quota-request.list-own': 'read',
  // Approving starts a change, and declining is the same decision.
  'quota-request.decide': 'never',
  'catalog.read': 'read',
  'catalog.watch': 'write',
  // Glance, Neutron and Nova are called with the Keystone token of a person.
  'server.choose': 'never',
  'server.create': 'never',
  'session.list': 'never',
  'session.end': 'never',
  // A token must not extend its own life.
  'api-token.list': 'never',
  'api-token.list-all': 'never',
  'api-token.create': 'never',
  'api-token.revoke': 'never',
}

/** The roles of a request, and the access of the API token that it came with, if any. */
export type Caller = { roles: readonly Role[]; apiToken?: TokenAccess | undefined }

const isWithinToken = (action: Action, apiToken: TokenAccess | undefined): boolean => {
  const needed = ACTION_TOKEN_ACCESS[action]
  return apiToken === undefined || (needed !== 'never' && (apiToken === 'write' || needed === 'read'))
}

/** Why the request is refused, in one sentence; null: it is allowed. */
export const whyRefused = ({ roles, apiToken, action }: Caller & { action: Action }): string | null => {
  if (!isAllowed({ roles, action })) return describeRefusal(action)
  if (isWithinToken(action, apiToken)) return null
  return ACTION_TOKEN_ACCESS[action] === 'never'
    ? `API tokens cannot ${ACTION_VERBS[action]}. Sign in with a browser instead.`
    : `To ${ACTION_VERBS[action]}, you need an API token with write access. This token is read-only.`
}
