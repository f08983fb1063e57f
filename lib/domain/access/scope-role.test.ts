import { expect, test } from 'vitest'
import { scopeRoleOf } from './scope-role'

const names = { admin: ['admin'], reader: ['vgpu-reader'] }
const userRoles = [
  { role: 'reader', scope: { kind: 'system' } },
  { role: 'admin', scope: { kind: 'project', id: 'p1' } },
  { role: 'member', scope: { kind: 'project', id: 'p1' } },
  { role: 'member', scope: { kind: 'project', id: 'p2' } },
  { role: 'vgpu-reader', scope: { kind: 'project', id: 'p3' } },
] as const

test.each([
  [{ kind: 'system' } as const, 'reader'],
  [{ kind: 'project', id: 'p1' } as const, 'admin'],
  [{ kind: 'project', id: 'p2' } as const, 'tenant'],
  [{ kind: 'project', id: 'p3' } as const, 'reader'],
  [{ kind: 'project', id: 'p4' } as const, null],
])('%j gives the role %s', (scope, role) => {
  expect(scopeRoleOf({ scope, userRoles, names })).toBe(role)
})

test('a role on the system that the console does not know gives no access', () => {
  const onSystem = [{ role: 'service', scope: { kind: 'system' } }] as const
  expect(scopeRoleOf({ scope: { kind: 'system' }, userRoles: onSystem, names })).toBe('none')
})
