import { expect, test, vi } from 'vitest'
import { capacityWeekSchema } from '@/lib/schemas/api/capacity-week'
import { writeHistoryWorld } from '@/lib/services/history/testing/history-world'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { exportCapacity } from './export-capacity'
import { getCapacitySeries } from './get-capacity-series'
import { getWeek } from './get-week'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const OLD = new Date('2026-01-01T00:00:00Z')
/** From Friday, 20 November, 09:00 UTC. */
const newHistory = async () => {
  const cloud = await world.newCloud()
  const { cloudId, append } = await writeHistoryWorld(world.database(), cloud)
  await append(NOW)
  const terms = { cloudId, horizon: NOW, hoursSince: OLD, changesSince: OLD }
  await rollUpCloud(world.database(), terms)
  return cloud.name
}

test('the hours of the week are those of the series, on the clocks of the zone', async () => {
  const cloud = await newHistory()
  const week = await getWeek(world.ctx(READER), { cloud, zone: 'Europe/Paris' })
  expect(capacityWeekSchema.parse(week)).toEqual(week)
  expect(week).toMatchObject({
    by: 'all',
    key: '',
    timeZone: 'Europe/Paris',
    from: '2026-11-20T00:00:00.000Z',
    until: '2026-11-21T15:00:00.000Z',
  })
  const { series } = await getCapacitySeries(world.ctx(), { cloud, from: '2026-11-20T00:00:00Z' })
  const at14 = { average: series[0]?.used[13], max: series[0]?.usedMax[13] }
  expect(at14.max).toBeGreaterThan(0)
  expect({ average: week.days[4]?.average[14], max: week.days[4]?.max[14] }).toEqual(at14)
  expect(week.days[0]?.average.every((value) => value === null)).toBe(true)
})

test('a project has its own hours of the week', async () => {
  const cloud = await newHistory()
  const week = await getWeek(world.ctx(), { cloud, by: 'project', key: 'p1' })
  const all = await getWeek(world.ctx(), { cloud })
  expect(Math.max(...(week.days[5]?.max ?? []).map(Number))).toBeGreaterThan(1)
  expect(week.days[5]?.max).not.toEqual(all.days[5]?.max)
  const none = await getWeek(world.ctx(), { cloud, by: 'project', key: 'nobody' })
  expect(Math.max(...(none.days[5]?.max ?? []).map(Number))).toBe(0)
})

test('a time zone that is none and a tenant are refused', async () => {
  const cloud = await newHistory()
  await expect(getWeek(world.ctx(), { cloud, zone: 'Europe/Nowhere' })).rejects.toMatchObject({
    code: 'validation',
    field: 'zone',
  })
  await expect(getWeek(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
})

test('the CSV has the range that it is compared with next to, begin on begin', async () => {
  const cloud = await newHistory()
  const range = { cloud, from: '2026-11-21T10:00:00Z', until: '2026-11-21T14:00:00Z' }
  const { text } = await exportCapacity(world.ctx(), { ...range, compareFrom: '2026-11-20T10:00:00Z' })
  const before = await getCapacitySeries(world.ctx(), {
    cloud,
    from: '2026-11-20T10:00:00Z',
    until: '2026-11-20T14:00:00Z',
  })
  const rows = text.split('\r\n').map((line) => line.split(','))
  expect(rows[0]?.slice(-3)).toEqual(['compared_at', 'compared_used', 'compared_used_max'])
  expect(rows.slice(1, 5).map((row) => row.slice(-3))).toEqual(
    [0, 1, 2, 3].map((point) => [
      `2026-11-20T1${point}:00:00.000Z`,
      String(before.series[0]?.used[point]),
      String(before.series[0]?.usedMax[point]),
    ]),
  )
})

test('fewer points are longer ones', async () => {
  const cloud = await newHistory()
  const few = await getCapacitySeries(world.ctx(), { cloud, from: '2026-11-20T00:00:00Z', points: 10 })
  expect(few.series[0]?.used.length).toBeLessThanOrEqual(10)
  expect(few.stepSeconds).toBe(4 * 3600)
})
