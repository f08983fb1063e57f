import { expect, test } from 'vitest'
import type { UtilizationSeries } from '@/lib/schemas/api/utilization'
import { knownUntil, lastKnown, sumUsage, toUsagePoints } from './usage-point'

const series: UtilizationSeries = {
  key: '',
  label: '',
  guest: null,
  utilization: [10, null, 30, null],
  utilizationMin: [0, null, 20, null],
  utilizationMax: [80, null, 40, null],
  usedMib: [1024, null, 2048, null],
  usedMibMax: [1024, null, 2048, null],
  totalMib: [4096, null, 4096, null],
}
const RANGE = { from: '2026-11-21T14:00:00.000Z', stepSeconds: 3600, firstKnownAt: null }
const BEGIN = Date.parse(RANGE.from)

test('a gap stays one, and what is not known is in no sum', () => {
  const points = toUsagePoints(series, RANGE)
  expect(points[0]).toEqual({
    at: BEGIN,
    endsAt: BEGIN + 3_600_000,
    utilization: 10,
    extremes: [0, 80],
    memory: 25,
    usedMib: 1024,
    totalMib: 4096,
  })
  expect(points[1]).toMatchObject({ utilization: null, extremes: null, memory: null })
  expect(sumUsage(points)).toEqual({ average: 20, peak: 80, peakAt: BEGIN })
  expect(lastKnown(points)?.at).toBe(BEGIN + 2 * 3_600_000)
  expect(sumUsage([])).toEqual({ average: null, peak: null, peakAt: null })
})

test('what lies before anything was measured is left out', () => {
  expect(toUsagePoints(series, { ...RANGE, firstKnownAt: '2026-11-21T16:10:00.000Z' })).toHaveLength(2)
})

test('an hour is known to its end, and as far as it was read while it continues; a sample at its moment', () => {
  const endOf = (knownAt: number, stepSeconds = 3600) =>
    toUsagePoints(series, RANGE, knownAt).map((point) => knownUntil(point, stepSeconds))
  expect(endOf(BEGIN + 7_200_000)).toEqual([BEGIN + 3_600_000, BEGIN + 7_200_000])
  expect(endOf(BEGIN + 1_800_000)).toEqual([BEGIN + 1_800_000])
  expect(endOf(BEGIN + 1_800_000, 60)).toEqual([BEGIN])
})
