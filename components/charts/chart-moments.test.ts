import { expect, test } from 'vitest'
import { axisTicks, pointMoment } from './chart-moments'

const AT = Date.parse('2026-11-21T14:00:00Z')
const HOUR = 3600
const DAY = 24 * HOUR

test('a point says what it stands for, in UTC', () => {
  expect(pointMoment(AT, HOUR)).toBe('Sat, 21 Nov 2026, 14:00 to 15:00')
  expect(pointMoment(AT - 14 * HOUR * 1000, DAY)).toBe('Sat, 21 Nov 2026')
  expect(pointMoment(AT - 14 * HOUR * 1000, 7 * DAY)).toBe('Sat, 21 Nov 2026 to Fri, 27 Nov 2026')
})

const words = (seconds: number) => axisTicks(AT, AT + seconds * 1000).map((tick) => tick.words)

test('the axis is marked at round times, whatever the range', () => {
  expect(words(HOUR)).toEqual(['14:00', '14:15', '14:30', '14:45', '15:00'])
  expect(words(DAY)).toEqual(['15:00', '18:00', '21:00', '22 Nov', '03:00', '06:00', '09:00', '12:00'])
  expect(words(7 * DAY)).toEqual(['22 Nov', '23 Nov', '24 Nov', '25 Nov', '26 Nov', '27 Nov', '28 Nov'])
  expect(words(90 * DAY)).toHaveLength(6)
  expect(words(365 * DAY).slice(0, 3)).toEqual(['Jan 2027', 'Mar 2027', 'May 2027'])
  expect(words(0)).toEqual(['14:00'])
})
