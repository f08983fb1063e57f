import { expect, test } from 'vitest'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import {
  errorNote,
  formatErrors,
  formatExhaustion,
  formatFull,
  formatGrowthPerWeek,
  formatGrowthRange,
  noBetterNote,
  noForecastText,
} from './forecast-text'

const TODAY = '2026-11-02'
const GROUP: ForecastGroup = {
  key: 'nvidia-1',
  label: 'A40-24Q',
  capacity: 16,
  used: 16,
  knownDays: 200,
  none: null,
  growthPerWeek: 1,
  atEnd: null,
  weak: null,
  exhaustion: null,
  errors: [
    { days: 7, forecasts: 60, forecast: 1, lastValue: 2, lastWeek: 3 },
    { days: 28, forecasts: 50, forecast: 2.5, lastValue: 9, lastWeek: 7 },
  ],
  days: null,
}

test('the time until full is in months, and the time since full is a day', () => {
  const words = (exhaustion: Parameters<typeof formatExhaustion>[0]) =>
    formatExhaustion(exhaustion, TODAY).text
  expect(words({ kind: 'full', since: '2026-10-12' })).toBe('since 12 Oct')
  expect(words({ kind: 'full', since: '2025-10-12' })).toBe('since 12 Oct 2025')
  const dated = { kind: 'dated', earliest: '2027-01-03', likely: '2027-02-01', latest: '2027-03-09' } as const
  expect(words(dated)).toBe('Jan to Mar 2027')
  expect(words({ ...dated, latest: '2027-01-30' })).toBe('Jan 2027')
  expect(words({ ...dated, earliest: '2026-12-30' })).toBe('Dec 2026 to Mar 2027')
  expect(words({ ...dated, latest: null })).toBe('Jan 2027 or later')
  expect(words({ ...dated, likely: null, latest: null })).toBe('not before Jan 2027')
  expect(words({ kind: 'after', day: '2027-08-01' })).toBe('after Aug 2027')
  expect(words({ kind: 'not-growing' })).toBe('not growing')
})

test('a group without forecast has a reason, and a full group is full all the same', () => {
  const none = { reason: 'too-short', knownDays: 1, neededDays: 42 } as const
  expect(noForecastText(none, TODAY)).toEqual({
    text: 'not enough data',
    because: 'A forecast needs 42 days of data; 1 day is available.',
  })
  expect(formatFull({ ...GROUP, none }, TODAY)).toEqual({ text: 'not enough data', tone: 'quiet' })
  const full = { ...GROUP, none, exhaustion: { kind: 'full', since: '2026-10-12' } as const }
  expect(formatFull(full, TODAY).text).toBe('since 12 Oct')
  expect(formatFull({ ...GROUP, none: { reason: 'no-better' } }, TODAY).text).toBe('no forecast')
})

test('the most frequent reason is shown once for all groups', () => {
  const withoutOne = { ...GROUP, none: { reason: 'no-better' } as const }
  expect(noBetterNote([GROUP, withoutOne, withoutOne])).toBe(
    'Weak signal: past forecasts were not more accurate than the last day’s or last week’s values, so a straight line through the weekly peaks of the last quarter is shown, with its range.',
  )
  expect(noBetterNote([GROUP])).toBeNull()
})

test('where there is no forecast, a line is shown and marked as weak', () => {
  const growthPerWeek = { low: -0.44, likely: 0.5, high: 1.2 }
  const exhaustion = { kind: 'dated' as const, earliest: '2027-01-12', likely: null, latest: null }
  const withLine = {
    ...GROUP,
    growthPerWeek: null,
    none: { reason: 'no-better' } as const,
    weak: { growthPerWeek, atEnd: null, exhaustion },
  }
  expect(formatFull(withLine, TODAY)).toEqual({ text: 'not before Jan 2027 (weak signal)', tone: 'quiet' })
  expect(formatGrowthRange(withLine)).toBe('-0.4 to +1.2')
  expect(formatGrowthRange(GROUP)).toBe('+1')
  expect(formatGrowthRange({ growthPerWeek: null, weak: null })).toBeNull()
})

test('errors are those of the longest horizon, next to the better of both rivals', () => {
  expect(formatErrors(GROUP)).toBe('2.5 / 7 in 28 d')
  expect(formatErrors({ ...GROUP, errors: [] })).toBeNull()
  expect([1.44, 0.02, -3].map(formatGrowthPerWeek)).toEqual(['+1.4', '0', '-3'])
})

test('the column of errors is explained where it has numbers', () => {
  expect(errorNote([{ ...GROUP, errors: [] }, GROUP])).toMatch(
    /^Error \/ baseline: .* for the given number of days\.$/,
  )
  expect(errorNote([{ ...GROUP, errors: [] }])).toBeNull()
})
