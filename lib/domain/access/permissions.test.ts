import { expect, test } from 'vitest'
import { type Action, describeRefusal, isAllowed, PERMISSIONS } from './permissions'

const actions = Object.keys(PERMISSIONS) as Action[]
const OWN = [
  'quota-request.make',
  'quota-request.list-own',
  'catalog.read',
  'catalog.watch',
  'session.list',
  'session.end',
  'api-token.list',
  'api-token.create',
  'api-token.revoke',
]

test('an admin may do everything', () => {
  expect(actions.filter((action) => !isAllowed({ roles: ['admin'], action }))).toEqual([])
})

test('a reader only looks, and sees to the own sessions and tokens', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['reader'], action }))).toEqual([
    'fleet.read',
    'audit.read',
    'agent.list',
    'webhook.list',
    ...OWN,
  ])
})

test('a tenant sees nothing of the fleet, and one without a role nothing at all', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['tenant'], action }))).toEqual(OWN)
  expect(actions.filter((action) => isAllowed({ roles: [], action }))).toEqual([])
})

test('several roles add up', () => {
  expect(isAllowed({ roles: ['tenant', 'reader'], action: 'fleet.read' })).toBe(true)
})

test('an API token never does more than its maker, only reads when made to read, and makes no tokens', () => {
  const allowed = (apiToken: 'read' | 'write', role: 'admin' | 'reader') =>
    actions.filter((action) => isAllowed({ roles: [role], apiToken, action }))
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
    'change.plan',
    'kept-trait.end',
    'webhook.list',
    'webhook.change',
    'api-alias.tell',
    'quota-driver.tell',
    'quota-request.make',
    'quota-request.list-own',
    'catalog.read',
    'catalog.watch',
  ])
  expect(allowed('write', 'reader')).toEqual([
    'fleet.read',
    'audit.read',
    'agent.list',
    'webhook.list',
    'quota-request.make',
    'quota-request.list-own',
    'catalog.read',
    'catalog.watch',
  ])
})

test('a refusal names the roles that would do', () => {
  expect(describeRefusal('fleet.read')).toBe(
    'To see the fleet takes the role admin or reader: ask an admin for it.',
  )
})

test('a refusal says when the API token alone is in the way', () => {
  const caller = { roles: ['admin'], apiToken: 'read' } as const
  expect(describeRefusal('agent.revoke', caller)).toBe(
    'To revoke an agent takes an API token with write access: this one may only read.',
  )
  expect(describeRefusal('api-token.create', caller)).toBe(
    'No API token may create an API token: sign in with a browser to do it.',
  )
  expect(describeRefusal('agent.revoke', { roles: ['reader'], apiToken: 'read' })).toContain('takes the role')
})
