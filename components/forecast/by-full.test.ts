import { expect, test } from 'vitest'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { byFull } from './by-full'

const group = (key: string, facts: Partial<ForecastGroup>): ForecastGroup => ({
  ...{ key, label: key, capacity: 10, used: 5, knownDays: 100, none: null, growthPerWeek: null },
  ...{ atEnd: null, weak: null, exhaustion: null, errors: [], days: null },
  ...facts,
})
const dated = (likely: string) => ({ kind: 'dated' as const, earliest: '2027-01-01', likely, latest: null })
const growthPerWeek = { low: 0, likely: 1, high: 2 }

test('full groups come first, then those that are full next, also by a weak line, then the fullest', () => {
  const groups = [
    group('empty', { used: 0 }),
    group('later', { exhaustion: dated('2027-05-01') }),
    group('weak', { weak: { growthPerWeek, atEnd: null, exhaustion: dated('2027-03-01') } }),
    group('half', {}),
    group('full', { exhaustion: { kind: 'full', since: '2026-10-01' } }),
    group('soon', { exhaustion: dated('2027-02-01') }),
  ]
  expect(byFull(groups).map(({ key }) => key)).toEqual(['full', 'soon', 'weak', 'later', 'half', 'empty'])
})
