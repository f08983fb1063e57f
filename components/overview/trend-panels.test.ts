import { expect, test } from 'vitest'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { changeLabel, nearestToFull } from './trend-panels'

const groupOf = (label: string, rest: Partial<ForecastGroup>): ForecastGroup => ({
  key: label,
  label,
  capacity: 10,
  used: 5,
  knownDays: 90,
  none: null,
  growthPerWeek: null,
  atEnd: null,
  weak: null,
  exhaustion: null,
  errors: [],
  days: null,
  ...rest,
})

test('full types come first, then the next day, then the least free', () => {
  const dated = (likely: string) => ({ kind: 'dated', earliest: '2026-12-01', likely, latest: null }) as const
  const groups = [
    groupOf('half', { used: 5 }),
    groupOf('later', { used: 2, exhaustion: dated('2027-03-01') }),
    groupOf('almost', { used: 9 }),
    groupOf('soon', { used: 4, exhaustion: dated('2027-01-01') }),
    groupOf('full', { used: 10, exhaustion: { kind: 'full', since: '2026-11-01' } }),
    groupOf('none', { capacity: 0, used: 0 }),
  ]
  expect(nearestToFull(groups).map(({ label }) => label)).toEqual(['full', 'soon', 'later'])
  const still = groups.filter(({ exhaustion }) => exhaustion === null)
  expect(nearestToFull(still).map(({ label }) => label)).toEqual(['almost', 'half'])
})

test('the change is from the first known value to the last', () => {
  expect(changeLabel([null, 398, null, 410, 431])).toBe('+33 from 398')
  expect(changeLabel([12, 9.6])).toBe('-2 from 12')
  expect(changeLabel([null])).toBeNull()
})
