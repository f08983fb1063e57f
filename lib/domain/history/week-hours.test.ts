import { expect, test } from 'vitest'
import { createZoneOffset, isTimeZone } from '@/lib/util/zone-offset'
import { emptySlot, type Slot } from './figures'
import { HOUR_MS } from './series'
import { weekHours } from './week-hours'

/** Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 10, 16)
const slot = (used: number, max = used, knownMs = HOUR_MS): Slot => ({
  ...emptySlot({ knownMs, isHeld: false }),
  used: { knownMs, integral: used * knownMs, min: 0, max },
})
const weekIn = (zone: string, slots: readonly Slot[], from = MONDAY) =>
  weekHours(slots, { from, offsetAt: createZoneOffset(zone) })

test('an hour is where the clocks of the zone have it', () => {
  const slots = [slot(4, 6)]
  expect(weekIn('UTC', slots)[0]?.[0]).toEqual({ average: 4, max: 6 })
  expect(weekIn('Europe/Paris', slots)[0]?.[1]).toEqual({ average: 4, max: 6 })
  expect(weekIn('America/New_York', slots)[6]?.[19]).toEqual({ average: 4, max: 6 })
  expect(weekIn('UTC', slots)[0]?.[1]).toEqual({ average: null, max: null })
})

test('weeks are averaged by the time that was known, with the most of all', () => {
  const weeks = Array.from({ length: 24 * 8 }, (_, hour) => slot(hour < 24 ? 2 : 5, hour === 0 ? 9 : 5))
  const week = weekIn('UTC', weeks)
  expect(week[0]?.[0]).toEqual({ average: 3.5, max: 9 })
  expect(week[1]?.[0]).toEqual({ average: 5, max: 5 })
  const half = [slot(2, 2, HOUR_MS / 2), ...Array.from({ length: 167 }, () => slot(0, 0, 0)), slot(8)]
  expect(weekIn('UTC', half)[0]?.[0]).toEqual({ average: 6, max: 8 })
  expect(weekIn('UTC', half)[3]?.[3]).toEqual({ average: null, max: null })
})

test('where hours begin at half past of UTC, each counts in both', () => {
  const week = weekIn('Asia/Kolkata', [slot(4), slot(8)])
  expect(week[0]?.slice(4, 9).map(({ average, max }) => [average, max])).toEqual([
    [null, null],
    [4, 4],
    [6, 8],
    [8, 8],
    [null, null],
  ])
})

test('summer time begins and ends within a day', () => {
  const offset = createZoneOffset('Europe/Paris')
  const end = Date.UTC(2026, 9, 25, 1)
  expect(offset(end - 1000)).toBe(2 * HOUR_MS)
  expect(offset(end)).toBe(HOUR_MS)
  expect(offset(Date.UTC(2026, 6, 1))).toBe(2 * HOUR_MS)
})

test('only names of zones are taken', () => {
  expect(['UTC', 'Europe/Paris', 'Asia/Kathmandu'].map(isTimeZone)).toEqual([true, true, true])
  expect(['', '+02:00', 'Europe/Nowhere', 'Europe/Paris;x'].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
