import { expect, test } from 'vitest'
import { axisTicks, dayBegin, formatDay, formatMinute, pointMoment, zoneOfSteps } from './chart-moments'

const AT = Date.parse('2026-11-21T14:00:00Z')
const HOUR = 3600
const DAY = 24 * HOUR

test('a point has its time span, in UTC', () => {
  expect(pointMoment(AT, { stepSeconds: HOUR })).toBe('Sat, 21 Nov 2026, 14:00 to 15:00')
  expect(pointMoment(AT - 14 * HOUR * 1000, { stepSeconds: DAY })).toBe('Sat, 21 Nov 2026')
  expect(pointMoment(AT - 14 * HOUR * 1000, { stepSeconds: 7 * DAY })).toBe(
    'Sat, 21 Nov 2026 to Fri, 27 Nov 2026',
  )
})

test('an hour in progress ends at the last known minute', () => {
  const endsAt = AT + 26 * 60_000
  expect(pointMoment(AT, { stepSeconds: HOUR, endsAt })).toBe('Sat, 21 Nov 2026, 14:00 to 14:26, so far')
  expect(pointMoment(AT, { stepSeconds: HOUR, endsAt: AT + HOUR * 1000 })).not.toContain('so far')
})

test('a week of which a part is known is shown as that part', () => {
  const week = { stepSeconds: 7 * DAY }
  const begin = AT - 14 * HOUR * 1000
  const day = (days: number): number => begin + days * DAY * 1000
  expect(pointMoment(begin, { ...week, endsAt: day(4) })).toBe('Sat, 21 Nov 2026 to Tue, 24 Nov 2026, so far')
  expect(pointMoment(begin, { ...week, beginsAt: day(2) })).toBe('Mon, 23 Nov 2026 to Fri, 27 Nov 2026')
  expect(pointMoment(begin, { ...week, beginsAt: day(2), endsAt: day(2) + 1 })).toBe('Mon, 23 Nov 2026')
  expect(pointMoment(begin, { ...week, beginsAt: day(-9), endsAt: day(9) })).toBe(
    'Sat, 21 Nov 2026 to Fri, 27 Nov 2026',
  )
})

const words = (seconds: number) => axisTicks(AT, AT + seconds * 1000).map((tick) => tick.words)

test('the axis is marked at round times for each range', () => {
  expect(words(HOUR)).toEqual(['14:00', '14:15', '14:30', '14:45', '15:00'])
  expect(words(DAY)).toEqual(['15:00', '18:00', '21:00', '22 Nov', '03:00', '06:00', '09:00', '12:00'])
  expect(words(7 * DAY)).toEqual(['22 Nov', '23 Nov', '24 Nov', '25 Nov', '26 Nov', '27 Nov', '28 Nov'])
  expect(words(90 * DAY)).toHaveLength(6)
  expect(words(365 * DAY).slice(0, 3)).toEqual(['Jan 2027', 'Mar 2027', 'May 2027'])
  expect(words(0)).toEqual(['14:00'])
})

const PARIS = 'Europe/Paris'

test('in a zone a point has the local time, also when the clocks are set back', () => {
  expect(pointMoment(AT, { stepSeconds: HOUR, zone: PARIS })).toBe('Sat, 21 Nov 2026, 15:00 to 16:00')
  expect(pointMoment(Date.parse('2026-10-24T22:00:00Z'), { stepSeconds: HOUR, zone: PARIS })).toBe(
    'Sun, 25 Oct 2026, 00:00 to 01:00',
  )
  // The clocks are set back in between.
  expect(pointMoment(Date.parse('2026-10-25T00:00:00Z'), { stepSeconds: 2 * HOUR, zone: PARIS })).toBe(
    'Sun, 25 Oct 2026, 02:00 to 03:00',
  )
  expect(formatMinute(Date.parse('2026-07-01T23:30:00Z'), PARIS)).toBe('2026-07-02 01:30')
})

test('the axis is marked at the midnights of the zone, before and after its clocks were set', () => {
  const ticks = axisTicks(Date.parse('2026-10-23T12:00Z'), Date.parse('2026-10-27T12:00Z'), PARIS)
  expect(ticks.map(({ at, words: each }) => [new Date(at).toISOString().slice(0, 16), each])).toEqual([
    ['2026-10-23T22:00', '24 Oct'],
    ['2026-10-24T10:00', '12:00'],
    ['2026-10-24T22:00', '25 Oct'],
    ['2026-10-25T11:00', '12:00'],
    ['2026-10-25T23:00', '26 Oct'],
    ['2026-10-26T11:00', '12:00'],
    ['2026-10-26T23:00', '27 Oct'],
    ['2026-10-27T11:00', '12:00'],
  ])
})

test('days that are stored in UTC are shown in UTC for each zone', () => {
  expect(zoneOfSteps(PARIS, 12 * HOUR)).toBe(PARIS)
  expect(zoneOfSteps(PARIS, DAY)).toBe('UTC')
})

test('a day begins when the clocks of the zone show midnight', () => {
  expect(dayBegin('2026-10-25', PARIS)?.toISOString()).toBe('2026-10-24T22:00:00.000Z')
  expect(dayBegin('2026-10-26', PARIS)?.toISOString()).toBe('2026-10-25T23:00:00.000Z')
  expect(formatDay(Date.parse('2026-10-25T23:00Z'), PARIS)).toBe('2026-10-26')
  expect(dayBegin('', PARIS)).toBeNull()
})
