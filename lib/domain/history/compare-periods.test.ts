import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparedPeriods, growthBetween } from './compare-periods'
import { emptySlot, type Figure, type Slot } from './figures'
import { DAY_MS, HOUR_MS } from './series'
import { tableOf } from './slot-table'

const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const figure = (value: number, knownMs = DAY_MS): Figure => ({
  knownMs,
  integral: value * knownMs,
  min: value,
  max: value,
})
const day = (used: number, rest: { knownMs?: number; unseen?: number } = {}): Slot => ({
  ...emptySlot({ knownMs: rest.knownMs ?? DAY_MS, isHeld: false }),
  used: figure(used, rest.knownMs),
  capacity: figure(100, rest.knownMs),
  unseen: figure(rest.unseen ?? 0),
})
const period = (...days: (Slot | null)[]) => ({ slots: tableOf(days), fleet: tableOf(days) })

test('a month compares its last seven days with seven days of the same weekdays at its start', () => {
  const until = dayOf('2026-11-26') + 14 * HOUR_MS
  expect(comparedPeriods({ from: until - 30 * DAY_MS, until })).toEqual({
    days: 7,
    later: { from: dayOf('2026-11-19'), until: dayOf('2026-11-26') },
    earlier: { from: dayOf('2026-10-29'), until: dayOf('2026-11-05') },
  })
})

test('from two whole weeks on, weeks are compared', () => {
  const until = dayOf('2026-11-26')
  expect(comparedPeriods({ from: until - 14 * DAY_MS, until })?.days).toBe(7)
  expect(comparedPeriods({ from: until - 13 * DAY_MS, until })?.days).toBe(1)
})

test('a week compares a day with the same day of the week before', () => {
  const until = dayOf('2026-11-26') + HOUR_MS
  expect(comparedPeriods({ from: until - 7 * DAY_MS, until })).toMatchObject({
    days: 1,
    later: { from: dayOf('2026-11-25') },
    earlier: { from: dayOf('2026-11-18') },
  })
})

test('the periods are equally long, a whole number of weeks apart, and the later one ends in the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * 24 }), fc.nat(24 * 30), (hours, offset) => {
      const until = dayOf('2026-11-01') + offset * HOUR_MS
      const range = { from: until - hours * HOUR_MS, until }
      const found = comparedPeriods(range)
      if (found === null) return
      const { earlier, later, days } = found
      expect(earlier.until - earlier.from).toBe(days * DAY_MS)
      expect(later.until - later.from).toBe(days * DAY_MS)
      expect((later.from - earlier.from) % (7 * DAY_MS)).toBe(0)
      expect(later.from).toBeGreaterThanOrEqual(earlier.until)
      expect(later.until).toBeLessThanOrEqual(until)
      if (hours >= 15 * 24) expect(earlier.from).toBeGreaterThanOrEqual(range.from - DAY_MS)
    }),
  )
})

test('growth is the difference of the averages', () => {
  const terms = { isHeld: false, days: 2 }
  expect(growthBetween({ earlier: period(day(10), day(20)), later: period(day(30), day(20)) }, terms)).toBe(
    10,
  )
})

test('a period of which too little is known, or much was not watched, is not compared', () => {
  const terms = { isHeld: false, days: 1 }
  const later = period(day(30))
  for (const earlier of [
    period(null),
    period(day(10, { knownMs: DAY_MS / 2 })),
    period(day(10, { unseen: 20 })),
  ])
    expect(growthBetween({ earlier, later }, terms)).toBeNull()
})
