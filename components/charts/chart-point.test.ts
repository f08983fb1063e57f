import { expect, test } from 'vitest'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'
import { toPoints } from './chart-point'

const series = (words: Partial<CapacitySeries>): CapacitySeries => ({
  key: 'nvidia-222',
  label: 'A40-4Q',
  capacity: [12, null],
  capacityMax: [12, null],
  used: [5, null],
  usedMin: [4, null],
  usedMax: [7, null],
  spare: [1, null],
  orphan: [0, null],
  stranded: [2, null],
  unseen: [0, 12],
  end: { capacity: null, used: null, stranded: null, unseen: null, growth: null },
  ...words,
})

const RANGE = { from: '2026-11-21T14:00:00.000Z', stepSeconds: 3600, firstKnownAt: null }

test('free is what nothing else holds, and a gap stays a gap', () => {
  expect(toPoints(series({}), RANGE)).toEqual([
    {
      at: Date.parse('2026-11-21T14:00:00Z'),
      capacity: 12,
      used: 5,
      usedMax: 7,
      spare: 1,
      orphan: 0,
      stranded: 2,
      free: 4,
      unseen: 0,
    },
    {
      at: Date.parse('2026-11-21T15:00:00Z'),
      capacity: null,
      used: null,
      usedMax: null,
      spare: null,
      orphan: null,
      stranded: null,
      free: null,
      unseen: 12,
    },
  ])
})

test('what lies before anything was known is left out', () => {
  const begun = (firstKnownAt: string) => toPoints(series({}), { ...RANGE, firstKnownAt }).length
  expect(begun('2026-11-21T14:20:00.000Z')).toBe(2)
  expect(begun('2026-11-21T15:00:00.000Z')).toBe(1)
})

test('another range stands beside each point, and what it did not know stays unknown', () => {
  const points = toPoints(series({}), RANGE, { used: [3], usedMax: [4] })
  expect(points.map(({ before }) => before)).toEqual([3, null])
  expect(toPoints(series({}), RANGE)[0]).not.toHaveProperty('before')
})

test('more used than there is leaves nothing free, and no negative', () => {
  expect(toPoints(series({ used: [14, 0] }), RANGE)[0]?.free).toBe(0)
})
