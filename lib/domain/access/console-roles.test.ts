import { expect, test } from 'vitest'
import { consoleRoleOf, isLesserRole } from './console-roles'

const names = { admin: ['admin', 'gpu_admin'], reader: ['gpu_reader'] }

test.each([
  ['project', ['admin', 'member', 'reader'], 'admin'],
  ['system', ['admin'], 'admin'],
  ['project', ['GPU_Admin'], 'admin'],
  ['system', ['reader'], 'reader'],
  ['system', ['manager', 'member', 'reader'], 'reader'],
  ['project', ['member', 'gpu_reader'], 'reader'],
  ['system', ['gpu_reader'], 'reader'],
  ['project', ['member', 'reader'], 'tenant'],
  ['project', ['load-balancer_member'], 'tenant'],
  ['project', ['administrator'], 'tenant'],
  ['system', ['load-balancer_member'], null],
  ['system', [], null],
  ['project', [], null],
] as const)('on the %s, %j makes the console role %s', (scope, roles, expected) => {
  expect(consoleRoleOf({ scope, roles, names })).toBe(expected)
})

test('a role is lesser than those that may do more, and none is the least', () => {
  const order = [null, 'tenant', 'reader', 'admin'] as const
  for (const [a, one] of order.entries())
    for (const [b, other] of order.entries()) expect(isLesserRole(one, other)).toBe(a < b)
})
