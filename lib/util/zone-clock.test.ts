import { expect, test } from 'vitest'
import { zonedClock, zonedMoment } from './zone-clock'

const moment = (clock: string, zone: string) =>
  new Date(zonedMoment(Date.parse(`${clock}Z`), zone)).toISOString()
const clock = (at: string, zone: string) =>
  new Date(zonedClock(Date.parse(at), zone)).toISOString().slice(0, 16)

test('clocks show what they are ahead, before and after they are set, and of each zone its own', () => {
  expect(clock('2026-10-24T22:00Z', 'Europe/Paris')).toBe('2026-10-25T00:00')
  expect(clock('2026-10-25T23:00Z', 'Europe/Paris')).toBe('2026-10-26T00:00')
  expect(clock('2026-10-25T23:00Z', 'Asia/Kathmandu')).toBe('2026-10-26T04:45')
  expect(clock('2026-10-25T23:00Z', 'UTC')).toBe('2026-10-25T23:00')
  expect(() => zonedClock(0, 'Europe/Nowhere')).toThrow(RangeError)
})

test('what clocks show is found again', () => {
  expect(moment('2026-10-25T00:00', 'Europe/Paris')).toBe('2026-10-24T22:00:00.000Z')
  expect(moment('2026-10-26T00:00', 'Europe/Paris')).toBe('2026-10-25T23:00:00.000Z')
  expect(moment('2026-10-26T00:00', 'UTC')).toBe('2026-10-26T00:00:00.000Z')
})

test('what clocks jump over is when they have jumped', () => {
  // In Santiago the day of 6 September 2026 began at one o'clock.
  expect(moment('2026-09-06T00:00', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
  expect(clock('2026-09-06T04:00Z', 'America/Santiago')).toBe('2026-09-06T01:00')
})
