import { expect, test } from 'vitest'
import { boundedTotalsFault, type ParentTotal } from './bounded-totals'

const parent = (address: string, made: number, available: number, total: number): ParentTotal => ({
  name: `host_${address}`,
  total,
  parent: {
    address,
    pgpuAddress: address,
    typeId: 'nvidia-1',
    resourceClass: 'VGPU',
    isSupported: true,
    made,
    available,
    maxInstances: 8,
  },
})

const fault = (ofType: readonly ParentTotal[], own = ofType.map(({ parent: { address } }) => address)) =>
  boundedTotalsFault(8, { own: new Set(own), ofType })

test('any parents may count, as long as they fit and no other one does', () => {
  expect(fault([parent('a', 0, 4, 4), parent('b', 0, 4, 4), parent('c', 0, 4, 0)])).toBeNull()
  expect(fault([parent('a', 0, 4, 0), parent('b', 0, 4, 4), parent('c', 0, 4, 4)])).toBeNull()
  expect(fault([parent('a', 0, 4, 4), parent('b', 0, 4, 0), parent('c', 0, 4, 0)])).toMatch(
    /no VGPU for host_b, expected 4$/,
  )
  expect(fault([parent('a', 0, 4, 4), parent('b', 0, 4, 4), parent('c', 0, 4, 4)])).toMatch(
    /exceed max_instances 8$/,
  )
})

test('a parent counts whole or not at all', () => {
  expect(fault([parent('a', 2, 2, 3)])).toBe('Placement reports VGPU 3 for host_a, expected 4 or 0')
})

test('a wrong total of another card counts for the sum alone', () => {
  const ofType = [parent('a', 0, 4, 4), parent('b', 0, 4, 77)]
  expect(fault(ofType, ['a'])).toBeNull()
  expect(fault(ofType, ['b'])).toMatch(/77 for host_b/)
})
