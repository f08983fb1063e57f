import { expect, test } from 'vitest'
import { dashboardLink } from './dashboard-link'

test('Skyline takes the flavor from the address, Horizon does not', () => {
  expect(dashboardLink({ kind: 'skyline', url: 'https://sky.example' }, 'a b')).toEqual({
    href: 'https://sky.example/compute/instance/create?flavor=a%20b',
    isFilled: true,
  })
  expect(dashboardLink({ kind: 'horizon', url: 'https://hor.example/dashboard' }, 'x')).toEqual({
    href: 'https://hor.example/dashboard/project/instances/',
    isFilled: false,
  })
})
