import { expect, test } from 'vitest'
import { ACTION_ROLES, type Action } from './permissions'
import { whyRefused } from './token-access'

const actions = Object.keys(ACTION_ROLES) as Action[]

test('an API token allows no more than the roles of its owner, and never the personal actions', () => {
  const allowed = (apiToken: 'read' | 'write', role: 'admin' | 'reader') =>
    actions.filter((action) => whyRefused({ roles: [role], apiToken, action }) === null)
  expect(allowed('read', 'admin')).toEqual([
    'fleet.read',
    'audit.read',
    'agent.list',
    'webhook.list',
    'quota-request.list-own',
    'catalog.read',
  ])
  expect(allowed('write', 'admin')).toEqual([
    'fleet.read',
    'review.make',
    'audit.read',
    'agent.list',
    'agent.revoke',
    'enrollment.decide',
    'host.remove',
    'join-token.create',
    'join-token.revoke',
    'finding.acknowledge',
    'view.save',
    'view.share',
    'change.plan',
    'kept-trait.end',
    'webhook.list',
    'webhook.change',
    'price.add',
    'scenario.save',
    'api-alias.set',
    'quota-driver.set',
    'quota-request.make',
    'quota-request.list-own',
    'catalog.read',
    'catalog.watch',
  ])
  expect(allowed('write', 'reader')).toEqual([
    'fleet.read',
    'audit.read',
    'agent.list',
    'view.save',
    'webhook.list',
    'quota-request.make',
    'quota-request.list-own',
    'catalog.read',
    'catalog.watch',
  ])
})

test('a refusal names the API token when the roles would allow the action', () => {
  const caller = { roles: ['admin'], apiToken: 'read' } as const
  expect(whyRefused({ ...caller, action: 'agent.revoke' })).toBe(
    'To revoke an agent, you need an API token with write access. This token is read-only.',
  )
  expect(whyRefused({ ...caller, action: 'api-token.create' })).toBe(
    'API tokens cannot create an API token. Sign in with a browser instead.',
  )
  expect(whyRefused({ roles: ['reader'], apiToken: 'read', action: 'agent.revoke' })).toContain(
    'you need the role',
  )
})
