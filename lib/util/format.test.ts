import { expect, test } from 'vitest'
import {
  formatAge,
  formatCount,
  formatDay,
  formatMib,
  formatMoment,
  formatNoun,
  formatPercent,
  formatShare,
  formatUntil,
  formatUtcMoment,
  formatWholeMoment,
} from './format'

test('an age has one unit and is never negative', () => {
  expect([0, 12.9, 59, 60, 3599, 3600, 86_400, 172_800].map(formatAge)).toEqual([
    '0 s',
    '12 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '24 h',
    '2 d',
  ])
  expect(formatAge(-3)).toBe('0 s')
})

test('what is left is rounded to the nearest, and to the second at its end', () => {
  expect([7198, 1795, 3590, 5000, 86_390, 7 * 86_400 - 3, 59.9, 12, -3].map(formatUntil)).toEqual([
    '2 h',
    '30 min',
    '1 h',
    '1 h',
    '24 h',
    '7 d',
    '59 s',
    '12 s',
    '0 s',
  ])
})

test('a share reads 0 or 100 only when it is nothing or all', () => {
  expect(formatPercent(0, 10)).toBe('0 %')
  expect(formatPercent(1, 1000)).toBe('1 %')
  expect(formatPercent(999, 1000)).toBe('99 %')
  expect(formatPercent(10, 10)).toBe('100 %')
})

test('a share below 10 % has a digit', () => {
  const shares = [0, 0.0042, 0.034, 0.05, 0.0996, 0.374, 1.2]
  expect(shares.map(formatShare)).toEqual(['0 %', '0.4 %', '3.4 %', '5 %', '10 %', '37 %', '120 %'])
})

test('a share of nothing is unknown', () => {
  expect(formatPercent(0, 0)).toBeNull()
})

test('memory changes its unit at 1 GiB', () => {
  expect([512, 1024, 1536, 16_384].map(formatMib)).toEqual(['512 MiB', '1 GiB', '1.5 GiB', '16 GiB'])
})

test('nouns follow their count', () => {
  expect(formatNoun(1, 'host')).toBe('1 host')
  expect(formatNoun(80_000, 'host')).toBe('80,000 hosts')
})

test('a moment of another day names the day', () => {
  const now = new Date(2026, 10, 21, 14, 0, 0)
  expect(formatMoment(new Date(2026, 10, 21, 9, 3, 2), now, 'local')).toBe('09:03:02')
  expect(formatMoment(new Date(2026, 10, 20, 9, 3, 2), now, 'local')).toBe('20 Nov, 09:03')
})

test('counts and the clock read as Intl writes them', () => {
  const intl = new Intl.NumberFormat('en')
  for (const count of [0, -0, 7, 999, 1000, -1000, 80_000, 1_234_567, -12_345_678, 2 ** 53, 1234.5, 0.1236])
    expect(formatCount(count)).toBe(intl.format(count))
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  for (const hour of [0, 7, 12, 13, 23]) {
    const moment = new Date(2026, 10, 21, hour, 5, 59)
    expect(formatMoment(moment, moment, 'local')).toBe(time.format(moment))
  }
})

test('in UTC the day is that of UTC, not of the zone of the machine', () => {
  const now = new Date('2026-11-21T00:30:00Z')
  expect(formatMoment(new Date('2026-11-21T00:03:02Z'), now, 'UTC')).toBe('00:03:02')
  expect(formatMoment(new Date('2026-11-20T23:59:02Z'), now, 'UTC')).toBe('20 Nov, 23:59')
  expect(formatDay(new Date('2026-11-20T23:59:02Z'), 'UTC')).toBe('20 November 2026')
  expect(formatWholeMoment(new Date('2026-11-20T23:59:02Z'), 'UTC')).toBe('2026-11-20 23:59:02 UTC')
  expect(formatWholeMoment(new Date(2026, 1, 3, 4, 5, 6), 'America/New_York')).toBe(
    '2026-02-03 04:05:06 America/New York',
  )
})

test("a time without a reader's zone names UTC", () => {
  expect(formatUtcMoment(new Date('2026-11-20T23:03:00Z'))).toBe('20 Nov, 23:03 UTC')
})
