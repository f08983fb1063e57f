import { expect, test } from 'vitest'
import { axisMoment, pointMoment } from './chart-moments'

const AT = Date.parse('2026-11-21T14:00:00Z')
const HOUR = 3600
const DAY = 24 * HOUR

test('a point says what it stands for, in UTC', () => {
  expect(pointMoment(AT, HOUR)).toBe('Sat, 21 Nov 2026, 14:00 to 15:00')
  expect(pointMoment(AT - 14 * HOUR * 1000, DAY)).toBe('Sat, 21 Nov 2026')
  expect(pointMoment(AT - 14 * HOUR * 1000, 7 * DAY)).toBe('Sat, 21 Nov 2026 to Fri, 27 Nov 2026')
})

test('ticks are as fine as the points', () => {
  expect([900, HOUR, DAY, 7 * DAY].map((step) => axisMoment(AT, step))).toEqual([
    '14:00',
    '21 Nov',
    '21 Nov',
    'Nov 2026',
  ])
})
