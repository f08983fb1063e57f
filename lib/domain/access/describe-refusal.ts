import { ACTION_ROLES, type Action } from './permissions'

/** Each action as a refusal names it. */
export const ACTION_VERBS: Readonly<Record<Action, string>> = {
  'fleet.read': 'see the fleet',
  'review.make': 'freeze a review',
  'audit.read': 'read the audit',
  'agent.list': 'see agents',
  'agent.revoke': 'revoke an agent',
  'enrollment.decide': 'approve or decline an enrollment',
  'host.remove': 'remove, restore or merge a host',
  'join-token.create': 'create a join token',
  'join-token.revoke': 'revoke a join token',
  'finding.acknowledge': 'acknowledge or mute findings',
  'view.save': 'save a view',
  'view.share': 'share a view',
  'change.plan': 'plan a change',
  'change.run': 'run a change',
  'change.approve': 'approve a change',
  'kept-trait.end': 'stop managing a trait',
  'webhook.list': 'see webhooks',
  'webhook.change': 'change a webhook',
  'price.add': 'change the price list',
  'scenario.save': 'save or delete a scenario',
  'api-alias.set': "set Nova's aliases",
  'quota-driver.set': 'set the quota driver',
  'quota-request.make': 'request quota',
  'quota-request.list-own': 'see quota requests',
  'quota-request.decide': 'approve or decline a quota request',
  'catalog.read': 'see GPU flavors',
  'catalog.watch': 'watch a flavor',
  'server.choose': 'see images and networks',
  'server.create': 'create a server',
  'session.list': 'see your sessions',
  'session.end': 'end a session',
  'api-token.list': 'see API tokens',
  'api-token.list-all': 'see all API tokens',
  'api-token.create': 'create an API token',
  'api-token.revoke': 'revoke an API token',
}

/** The role that the action needs, in one sentence. */
export const describeRefusal = (action: Action): string =>
  `To ${ACTION_VERBS[action]}, you need the role ${ACTION_ROLES[action].join(' or ')}. Ask an admin for it.`
