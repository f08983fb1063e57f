import { expect, test } from 'vitest'
import { parsePeriod, periodState, periodsBetween, SETTLE_MS, wholeHours } from './period'

const iso = (at: number | undefined) => new Date(at ?? 0).toISOString()
const range = (name: string, timeZone: string) => {
  const period = parsePeriod(name, timeZone)
  return [iso(period?.from), iso(period?.until)]
}

test('months and quarters begin at the midnight of their zone, in summer time and without it', () => {
  expect(range('2026-10', 'UTC')).toEqual(['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'])
  expect(range('2026-10', 'Europe/Paris')).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'])
  expect(range('2026-Q4', 'America/New_York')).toEqual([
    '2026-10-01T04:00:00.000Z',
    '2027-01-01T05:00:00.000Z',
  ])
  expect(range('2026-12', 'Asia/Kolkata')).toEqual(['2026-11-30T18:30:00.000Z', '2026-12-31T18:30:00.000Z'])
})

test('where clocks jump over midnight the month begins when they have jumped', () => {
  // Paraguay's summer time of 2017 began at midnight of 1 October.
  expect(range('2017-10', 'America/Asuncion')[0]).toBe('2017-10-01T04:00:00.000Z')
})

test('what is no period is none', () => {
  for (const name of ['2026-13', '2026-Q5', '2026', '26-10', '2026-10-01', ''])
    expect(parsePeriod(name, 'UTC'), name).toBeNull()
})

test('lists every period that a time touches, the newest first', () => {
  const time = { from: Date.parse('2026-08-31T22:30:00Z'), until: Date.parse('2026-11-22T12:00:00Z') }
  const names = (kind: 'month' | 'quarter', timeZone: string) =>
    periodsBetween(kind, { ...time, timeZone }).map(({ name }) => name)
  expect(names('month', 'UTC')).toEqual(['2026-11', '2026-10', '2026-09', '2026-08'])
  expect(names('month', 'Europe/Paris')).toEqual(['2026-11', '2026-10', '2026-09'])
  expect(names('quarter', 'UTC')).toEqual(['2026-Q4', '2026-Q3'])
})

test('a period is closed a day after its end', () => {
  const until = Date.parse('2026-11-01T00:00:00Z')
  expect(periodState({ until }, until - 1)).toBe('open')
  expect(periodState({ until }, until)).toBe('settling')
  expect(periodState({ until }, until + SETTLE_MS - 1)).toBe('settling')
  expect(periodState({ until }, until + SETTLE_MS)).toBe('closed')
})

test('hours of neighbouring periods neither overlap nor leave one out, in zones off by half an hour too', () => {
  const [october, november] = ['2026-10', '2026-11'].map((name) => parsePeriod(name, 'Asia/Kolkata'))
  if (!october || !november) throw new Error('both are names of months')
  expect(wholeHours(october).until).toBe(wholeHours(november).from)
  expect(iso(wholeHours(october).from)).toBe('2026-09-30T19:00:00.000Z')
})
