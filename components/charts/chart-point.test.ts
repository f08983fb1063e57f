import { expect, test } from 'vitest'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'
import { pointSpan, toPoints } from './chart-point'

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
  peak: null,
  current: null,
  ...words,
})

const RANGE = { from: '2026-11-21T14:00:00.000Z', stepSeconds: 3600, firstKnownAt: null, watermark: null }

test('free is the rest of the capacity, and a gap stays a gap', () => {
  expect(toPoints(series({}), RANGE)).toEqual([
    {
      at: Date.parse('2026-11-21T14:00:00Z'),
      beginsAt: Date.parse('2026-11-21T14:00:00Z'),
      endsAt: Date.parse('2026-11-21T15:00:00Z'),
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
      beginsAt: Date.parse('2026-11-21T15:00:00Z'),
      endsAt: Date.parse('2026-11-21T16:00:00Z'),
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

test('each point has the value of the other range, and what that range did not know is unknown', () => {
  const points = toPoints(series({}), RANGE, { used: [3], usedMax: [4] })
  expect(points.map(({ before }) => before)).toEqual([3, null])
  expect(toPoints(series({}), RANGE)[0]).not.toHaveProperty('before')
})

test('more used than there is leaves nothing free, and no negative', () => {
  expect(toPoints(series({ used: [14, 0] }), RANGE)[0]?.free).toBe(0)
})

test('a point covers the time for which data is known', () => {
  const week = {
    from: '2025-11-20T00:00:00.000Z',
    stepSeconds: 7 * 86_400,
    firstKnownAt: '2025-11-23T08:00:00.000Z',
    watermark: '2025-12-01T10:00:00.000Z',
  }
  const textOf = (of: typeof week, index: number) =>
    Object.values(pointSpan(of, index)).map((at) => new Date(at).toISOString().slice(0, 13))
  expect(textOf(week, 0)).toEqual(['2025-11-20T00', '2025-11-23T08', '2025-11-27T00'])
  expect(textOf(week, 1)).toEqual(['2025-11-27T00', '2025-11-27T00', '2025-12-01T10'])
  expect(textOf(week, 3)).toEqual(['2025-12-11T00', '2025-12-11T00', '2025-12-18T00'])
  expect(pointSpan({ ...week, firstKnownAt: null, watermark: null }, 0)).toMatchObject({
    beginsAt: Date.parse('2025-11-20T00:00Z'),
    endsAt: Date.parse('2025-11-27T00:00Z'),
  })
})
