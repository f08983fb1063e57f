import { expect, test } from 'vitest'
import { refusedTypes } from './refused-types'

const group = (flavor: string | null, servers: number) => ({
  flavor,
  reason: 'no-valid-host' as const,
  servers,
})
const typesOf = new Map([
  ['vgpu.a40-8q', ['A40-8Q']],
  ['vgpu.a40-8q.himem', ['A40-8Q']],
  ['vgpu.t4', ['T4-4Q', 'T4-8Q']],
  ['vgpu.l40s', ['L40S-24Q']],
])

test('servers are counted by the type of their flavor, and distinguished where that is not one', () => {
  const groups = [group('vgpu.a40-8q', 3), group('vgpu.a40-8q.himem', 4), group('vgpu.t4', 2), group(null, 1)]
  expect(refusedTypes(groups, { typesOf, max: 5 })).toEqual({
    rows: [
      { label: 'A40-8Q', servers: 7 },
      { label: null, servers: 3 },
    ],
    others: 0,
  })
})

test('with more types than there is capacity for, the servers of the others are counted', () => {
  const groups = [group('vgpu.l40s', 2), group('vgpu.a40-8q', 5), group('vgpu.none', 1)]
  expect(refusedTypes(groups, { typesOf, max: 1 })).toEqual({
    rows: [{ label: 'A40-8Q', servers: 5 }],
    others: 3,
  })
})
