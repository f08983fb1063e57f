import { expect, test } from 'vitest'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { weekCsv } from './week-csv'
import { busiestHour } from './week-labels'

const none = () => new Array<number | null>(24).fill(null)
const week = (cells: readonly [day: number, hour: number, average: number, max: number][]): CapacityWeek => {
  const days = Array.from({ length: 7 }, () => ({ average: none(), max: none() }))
  for (const [day, hour, average, max] of cells) {
    const at = days[day]
    if (at === undefined) continue
    at.average[hour] = average
    at.max[hour] = max
  }
  return {
    cloud: 'paris',
    by: 'all',
    key: '',
    from: '2026-10-22T14:00:00.000Z',
    until: '2026-11-21T15:00:00.000Z',
    timeZone: 'Europe/Paris',
    days,
  }
}

test('the busiest hour is the one with the highest average, not the highest peak', () => {
  expect(busiestHour(week([]))).toBeNull()
  expect(
    busiestHour(
      week([
        [1, 9, 5.5, 6],
        [4, 22, 2, 40],
      ]),
    ),
  ).toEqual({ day: 1, hour: 9, average: 5.5 })
})

test('the CSV has each hour of the week once, and unknown ones empty', () => {
  const lines = weekCsv(week([[6, 23, 5.5, 6]]))
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(1 + 168)
  expect(lines.at(-1)).toMatch(/,Europe\/Paris,Sunday,23,5\.5,6$/)
  expect(lines[1]).toMatch(/,Monday,0,,$/)
})
