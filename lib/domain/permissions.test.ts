import { expect, test } from 'vitest'
import { type Action, describeRefusal, isAllowed, PERMISSIONS } from './permissions'

const actions = Object.keys(PERMISSIONS) as Action[]

test('an admin may do everything', () => {
  expect(actions.filter((action) => !isAllowed({ roles: ['admin'], action }))).toEqual([])
})

test('a reader only looks', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['reader'], action }))).toEqual([
    'fleet.read',
    'agent.list',
  ])
})

test('a tenant, and one without a role, sees nothing of the fleet', () => {
  expect(actions.filter((action) => isAllowed({ roles: ['tenant'], action }))).toEqual([])
  expect(actions.filter((action) => isAllowed({ roles: [], action }))).toEqual([])
})

test('several roles add up', () => {
  expect(isAllowed({ roles: ['tenant', 'reader'], action: 'fleet.read' })).toBe(true)
})

test('a refusal names the roles that would do', () => {
  expect(describeRefusal('fleet.read')).toBe(
    'To see the fleet takes the role admin or reader: ask an admin for it.',
  )
})
