import { expect, test } from 'vitest'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { createVgpuHours, habitOf, usageHour, vgpuUsage } from './usage-pattern'

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

test('some vGPUs are idle permanently, the others are not, and the same moment looks the same again', () => {
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

test('an hour is what its minutes come to', () => {
  for (const guestUuid of guests.slice(0, 40)) {
    const vgpu = { guestUuid, totalMib: 8192, cardMib: 16_384 }
    const hourOf = createVgpuHours(vgpu)
    for (const hours of [1, 6, 7, 11, 17, 30, 132]) {
      const begin = MONDAY + hours * 3_600_000
      const minutes = Array.from({ length: 60 }, (_, minute) =>
        vgpuUsage({ ...vgpu, at: begin + minute * 60_000 }),
      )
      const { percent, usedMib } = hourOf(usageHour(begin))
      const percents = minutes.map((minute) => minute.percent)
      const mean = percents.reduce((sum, one) => sum + one, 0) / 60
      expect(Math.abs(percent.average - mean)).toBeLessThan(6)
      expect(Math.abs(percent.max - Math.max(...percents))).toBeLessThan(10)
      expect(Math.abs(percent.min - Math.min(...percents))).toBeLessThan(6)
      expect(usedMib.max).toBe(Math.max(...minutes.map((minute) => minute.usedMib)))
      expect(usedMib.min).toBe(Math.min(...minutes.map((minute) => minute.usedMib)))
    }
  }
})
