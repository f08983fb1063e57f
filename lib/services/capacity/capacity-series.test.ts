import { expect, test, vi } from 'vitest'
import { capacitySchema } from '@/lib/schemas/api/capacity'
import { pgArray } from '@/lib/server/database/pg-array'
import { addPgpuChange } from '@/lib/services/history/testing/add-changes'
import { writeHistoryWorld } from '@/lib/services/history/testing/history-world'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { exportCapacity } from './export-capacity'
import { getCapacitySeries } from './get-capacity-series'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const OLD = new Date('2026-01-01T00:00:00Z')
const newHistory = async () => {
  const cloud = await world.newCloud()
  const { cloudId, append } = await writeHistoryWorld(world.database(), cloud)
  await append(NOW)
  const terms = { cloudId, horizon: NOW, hoursSince: OLD, changesSince: OLD }
  await rollUpCloud(world.database(), terms)
  return cloud.name
}

test('the fleet comes in hours with what was not watched as a gap, by types, projects and hosts too', async () => {
  const cloud = await newHistory()
  const scope = { cloud, from: '2026-11-20T06:00:00Z' }
  const all = await getCapacitySeries(world.ctx(READER), scope)
  expect(capacitySchema.parse(all)).toEqual(all)
  expect(all).toMatchObject({
    stepSeconds: 3600,
    from: '2026-11-20T06:00:00.000Z',
    until: '2026-11-21T15:00:00.000Z',
    watermark: NOW.toISOString(),
    firstKnownAt: '2026-11-20T00:00:00.000Z',
    leftOut: 0,
  })
  const [fleet] = all.series
  expect(fleet?.used).toHaveLength(33)
  expect(fleet?.used.slice(0, 3)).toEqual([null, null, null])
  expect(fleet?.capacityMax[5]).toBe(72)
  // The third host is silent after ten hours.
  expect(fleet?.capacity.at(-1)).toBeLessThanOrEqual(48)
  expect(fleet?.unseen.at(-1)).toBeGreaterThanOrEqual(24)
  const types = await getCapacitySeries(world.ctx(), { ...scope, by: 'type' })
  expect(types.series.map(({ key, label }) => [key, label])).toEqual([
    ['nvidia-222', 'NVIDIA-222'],
    ['nvidia-223', 'NVIDIA-223'],
  ])
  const projects = await getCapacitySeries(world.ctx(), { ...scope, by: 'project' })
  expect(projects.series.map(({ key, label }) => [key, label])).toEqual([['p1', 'Alpha']])
  expect(projects.series[0]?.capacity.every((value) => value === null)).toBe(true)
  expect(Math.max(...(projects.series[0]?.usedMax ?? []).map(Number))).toBeGreaterThan(1)
})

test('a host and its pGPUs come straight from the changes, and the third one ends in a gap', async () => {
  const cloud = await newHistory()
  const scope = { cloud, from: '2026-11-21T06:00:00Z', host: 'cmp-3' }
  const whole = await getCapacitySeries(world.ctx(), { ...scope, by: 'host' })
  expect(whole.stepSeconds).toBe(60)
  expect(whole.series[0]?.used.at(-10)).toBeNull()
  expect(whole.series[0]?.unseen.at(-10)).toBe(24)
  const cards = await getCapacitySeries(world.ctx(), { ...scope, by: 'pgpu', host: 'cmp-1' })
  expect(cards.series.map(({ key }) => key)).toEqual(['0000:61:00.0', '0000:62:00.0'])
  expect(cards.series[0]?.capacity.at(-10)).toBe(12)
  const one = await getCapacitySeries(world.ctx(), { ...scope, host: 'cmp-1', address: '61:00.0' })
  expect(one.series[0]?.usedMax.slice(0, 90)).toEqual(cards.series[0]?.usedMax.slice(0, 90))
  expect(one.series).toHaveLength(1)
})

test('a range of two years is read by days, with at most 1,000 points', async () => {
  const cloud = await newHistory()
  const long = await getCapacitySeries(world.ctx(), { cloud, from: '2024-11-21T00:00:00Z' })
  expect(long.stepSeconds).toBe(86_400)
  expect(long.series[0]?.used).toHaveLength(731)
  expect(long.series[0]?.used.filter((value) => value !== null)).toHaveLength(2)
})

test('the values at the end are equal in all ranges that end there', async () => {
  const cloud = await newHistory()
  const endOf = async (scope: object) =>
    (await getCapacitySeries(world.ctx(), { cloud, ...scope })).series[0]?.end
  const end = await endOf({ from: '2026-11-21T06:00:00Z' })
  expect(end?.capacity).toBe(48)
  expect(end?.used).toBeGreaterThan(0)
  for (const from of ['2026-11-20T06:00:00Z', '2026-06-01T00:00:00Z'])
    for (const points of [10, 1000]) expect(await endOf({ from, points })).toEqual(end)
  const host = { host: 'cmp-1', by: 'host' as const }
  const [short, long] = [await endOf({ ...host, from: '2026-11-21T06:00:00Z' }), await endOf(host)]
  expect(long).toEqual(short)
})

test('a change in the current hour is at the end in full, not averaged with earlier values', async () => {
  const cloud = await world.newCloud()
  const { cloudId, append, hostIds } = await writeHistoryWorld(world.database(), cloud)
  await append(NOW)
  const [hostId = 0, other = 0] = hostIds
  const setWatchedAt = 'UPDATE host SET watched_at = $2 WHERE id = ANY($1::int[])'
  await world.database().query(setWatchedAt, [pgArray([hostId, other]), NOW])
  const point = { address: '0000:61:00.0', typeId: 'nvidia-9', typeName: 'NEW-9Q', model: 'NVIDIA A40' }
  const numbers = { capacity: 5, used: 4, spare: 0, orphan: 0 }
  const at = new Date(NOW.getTime() - 60_000)
  await addPgpuChange(world.database().query, { ...point, ...numbers, hostId, sequence: 100_000, at })
  const terms = { cloudId, horizon: NOW, hoursSince: OLD, changesSince: OLD }
  await rollUpCloud(world.database(), terms)
  const scope = { cloud: cloud.name, from: '2026-11-20T06:00:00Z' }
  const endsOf = async (more: object) => {
    const { series } = await getCapacitySeries(world.ctx(), { ...scope, ...more })
    return series.map(({ key, end }) => [key, end.capacity, end.used])
  }
  // Of four cards that are watched one has another type now.
  expect(await endsOf({})).toEqual([['', 3 * 12 + 5, expect.any(Number)]])
  const types = await endsOf({ by: 'type' })
  expect(types).toContainEqual(['nvidia-9', 5, 4])
  const sum = types.reduce((total, [, capacity]) => total + Number(capacity), 0)
  expect(sum).toBe(41)
  // A range that ended before has the hour that it ended with.
  expect(await endsOf({ until: new Date(at.getTime() - 3_600_000).toISOString() })).toEqual([
    ['', 48, expect.any(Number)],
  ])
})

test('the end of a range is unknown until part of it is rolled up', async () => {
  const cloud = await world.newCloud()
  const { cloudId, append } = await writeHistoryWorld(world.database(), cloud)
  await append(NOW)
  const horizon = new Date(NOW.getTime() - 3 * 3_600_000)
  const terms = { cloudId, horizon, hoursSince: OLD, changesSince: OLD }
  await rollUpCloud(world.database(), terms)
  const from = new Date(NOW.getTime() - 2 * 3_600_000).toISOString()
  const { series } = await getCapacitySeries(world.ctx(), { cloud: cloud.name, from })
  expect(series.every(({ end }) => end.capacity === null && end.used === null)).toBe(true)
  const [whole] = (await getCapacitySeries(world.ctx(), { cloud: cloud.name })).series
  expect(whole?.end.capacity).toBeGreaterThan(0)
})

test('nothing after the end of a range is in its last point, however long that is', async () => {
  const cloud = await newHistory()
  const from = '2026-11-20T00:00:00Z'
  for (const host of [{}, { host: 'cmp-1', by: 'host' as const }]) {
    const ask = async (scope: object) => {
      const { stepSeconds, series } = await getCapacitySeries(world.ctx(), { cloud, from, ...host, ...scope })
      return { stepSeconds, usedMax: series[0]?.usedMax.map(Number) ?? [], used: series[0]?.used.at(-1) }
    }
    const coarse = await ask({ until: '2026-11-21T07:00:00Z', points: 10 })
    expect([coarse.stepSeconds, coarse.usedMax.length]).toEqual([4 * 3600, 8])
    const fine = await ask({ from: '2026-11-21T04:00:00Z', until: '2026-11-21T07:00:00Z' })
    expect(coarse.usedMax.at(-1)).toBe(Math.max(...fine.usedMax))
    expect(coarse.used).not.toBe((await ask({ until: '2026-11-21T08:00:00Z', points: 10 })).used)
  }
})

test('a page has twenty groups, and the CSV has them all in the same points', async () => {
  const cloud = await newHistory()
  await world.database().query(
    `INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots)
     SELECT r.cloud_id, r.step, r.dimension, 'more-' || n, r.begin, r.slots
     FROM capacity_roll_up r JOIN cloud c ON c.id = r.cloud_id, generate_series(1, 28) n
     WHERE c.name = $1 AND r.dimension = 'type' AND r.key = 'nvidia-222'`,
    [cloud],
  )
  const scope = { cloud, from: '2026-11-20T06:00:00Z', by: 'type' as const }
  const page = await getCapacitySeries(world.ctx(), scope)
  expect([page.series.length, page.leftOut]).toEqual([20, 10])
  const { text } = await exportCapacity(world.ctx(), scope)
  const keys = new Set(
    text
      .split('\r\n')
      .slice(1)
      .flatMap((line) => line.split(',')[1] ?? []),
  )
  expect([...keys].filter((key) => key !== '')).toHaveLength(30)
  expect(text.split('\r\n').filter((line) => line.includes('more-28'))).toHaveLength(
    page.series[0]?.used.length ?? 0,
  )
})

test('as CSV a gap is an empty field', async () => {
  const cloud = await newHistory()
  const { name, text } = await exportCapacity(world.ctx(), { cloud, from: '2026-11-20T08:00:00Z' })
  const lines = text.split('\r\n')
  expect(name).toMatch(/^sliceboard-cloud-\d+-capacity-all-2026-11-21\.csv$/)
  expect(lines[1]).toBe('2026-11-20T08:00:00.000Z,,,,,,,,,,,')
  expect(lines[3]?.split(',')[4]).toBe('72')
})

test('a tenant is refused, and so is a range that ends before it begins', async () => {
  const cloud = await newHistory()
  await expect(getCapacitySeries(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(exportCapacity(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    getCapacitySeries(world.ctx(), { cloud, from: '2026-11-22T00:00:00Z', until: '2026-11-21T00:00:00Z' }),
  ).rejects.toMatchObject({ code: 'validation', field: 'from' })
  await expect(getCapacitySeries(world.ctx(), { cloud, by: 'pgpu' })).rejects.toMatchObject({
    code: 'validation',
  })
})
