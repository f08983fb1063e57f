import { expect, test } from 'vitest'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { habitOf, vgpuUsage } from './usage-pattern'

const MONDAY = Date.parse('2026-11-16T00:00:00Z')
const guests = Array.from({ length: 200 }, (_, number) => uuidFrom(`guest ${number}`))
const dayOf = (guestUuid: string, day: number) =>
  Array.from({ length: 1440 }, (_, minute) =>
    vgpuUsage({
      guestUuid,
      totalMib: 8192,
      cardMib: 49_152,
      at: MONDAY + day * 86_400_000 + minute * 60_000,
    }),
  )

test('some vGPUs are idle for good, the others are not, and the same moment looks the same again', () => {
  const idle = guests.filter((guest) => habitOf(guest) === 'idle')
  expect(idle.length).toBeGreaterThan(10)
  for (const guest of idle.slice(0, 5))
    expect(dayOf(guest, 0).every(({ percent }) => percent === 0)).toBe(true)
  const busy = guests.filter((guest) => habitOf(guest) === 'desktop').slice(0, 5)
  for (const guest of busy) {
    expect(Math.max(...dayOf(guest, 0).map(({ percent }) => percent))).toBeGreaterThan(1)
    expect(Math.max(...dayOf(guest, 5).map(({ percent }) => percent))).toBe(0)
    expect(dayOf(guest, 0)).toEqual(dayOf(guest, 0))
  }
})

test('nothing is above the card or the framebuffer', () => {
  for (const guest of guests.slice(0, 20))
    for (const { percent, usedMib } of dayOf(guest, 2)) {
      expect(percent).toBeLessThanOrEqual(100)
      expect(usedMib).toBeLessThanOrEqual(8192)
    }
})
