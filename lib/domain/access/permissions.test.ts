import { expect, test } from 'vitest'
import { describeRefusal } from './describe-refusal'
import { ACTION_ROLES, type Action, isAllowed } from './permissions'

const actions = Object.keys(ACTION_ROLES) as Action[]
const OWN = [
  'quota-request.make',
  'quota-request.list-own',
  'catalog.read',
  'catalog.watch',
  'server.choose',
  'server.create',
  'session.list',
  'session.end',
  'api-token.list',
  'api-token.create',
  'api-token.revoke',
]

test('an admin may do everything', () => {
  expect(actions.filter((action) => !isAllowed({ roles: ['admin'], action }))).toEqual([])
})

test('a reader changes nothing but the own requests, sessions and tokens', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['reader'], action }))).toEqual([
    'fleet.read',
    'audit.read',
    'agent.list',
    'view.save',
    'webhook.list',
    ...OWN.filter((action) => action !== 'server.create'),
  ])
})

test('a tenant sees nothing of the fleet, and one without a role nothing at all', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['tenant'], action }))).toEqual(OWN)
  expect(actions.filter((action) => isAllowed({ roles: [], action }))).toEqual([])
})

test('several roles add up', () => {
  expect(isAllowed({ roles: ['tenant', 'reader'], action: 'fleet.read' })).toBe(true)
})

test('a refusal names the roles that would do', () => {
  expect(describeRefusal('fleet.read')).toBe(
    'To see the fleet, you need the role admin or reader. Ask an admin for it.',
  )
})
