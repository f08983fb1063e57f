import { expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import type { Sample } from '@/lib/domain/utilization/sample'
import { idleVgpusSchema, utilizationSchema } from '@/lib/schemas/api/utilization'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { addArrival } from './arrival-rows'
import { exportIdleVgpus, exportUtilization } from './export-utilization'
import { foldSamples } from './fold-samples'
import { getUtilization } from './get-utilization'
import { listIdleVgpus } from './list-idle-vgpus'
import { rollUpUsage } from './roll-up-groups'
import { writeUsageHours } from './write-usage-hours'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const ADDRESS = '0000:61:00.0'
const HOUR = Math.floor(NOW.getTime() / HOUR_MS) * HOUR_MS
const TODAY = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS

const sampleAt = (at: number, utilization: number): Sample => ({
  at,
  readings: [
    { address: ADDRESS, vgpu: null, guest: null, utilization, usedMib: 8000, totalMib: 46_068 },
    {
      address: ADDRESS,
      vgpu: 'mdev-1',
      guest: guestUuid('guest-1'),
      utilization: 0,
      usedMib: 500,
      totalMib: 4096,
    },
  ],
})

/** A host that was measured in the two hours before now, but for ten minutes, and whose last ones are in no page yet. */
const newHost = async () => {
  const cloud = await world.newCloud()
  const database = world.database()
  const hostId = await writeHost(database, {
    cloudId: cloud.id,
    name: 'cmp-1',
    pgpus: [{ address: ADDRESS }],
  })
  await database.prisma.guest.create({
    data: { hostId, uuid: guestUuid('guest-1'), name: 'instance-1', serverName: 'desk-1' },
  })
  const folded = Array.from({ length: 60 }, (_, minute) => minute)
    .filter((minute) => minute < 20 || minute >= 30)
    .map((minute) => sampleAt(HOUR - HOUR_MS + minute * 60_000, minute))
  await addArrival(database.query, hostId, folded)
  await foldSamples(database, { horizon: new Date(HOUR), minutesSince: new Date(0) })
  await addArrival(database.query, hostId, [sampleAt(HOUR + 60_000, 77), sampleAt(HOUR + 120_000, 78)])
  while (!(await rollUpUsage(database, cloud.id)));
  return { cloud: cloud.name, hostId, cloudId: cloud.id }
}

test('a pGPU has minutes up to now, with a gap where nothing was measured', async () => {
  const { cloud } = await newHost()
  const scope = { cloud, host: 'cmp-1', from: new Date(HOUR - HOUR_MS).toISOString() }
  const cards = await getUtilization(world.ctx(READER), { ...scope, by: 'pgpu' })
  expect(utilizationSchema.parse(cards)).toEqual(cards)
  expect(cards.stepSeconds).toBe(60)
  const [card] = cards.series
  expect(card?.key).toBe(ADDRESS)
  expect(card?.utilization.slice(18, 32)).toEqual([18, 19, ...new Array(10).fill(null), 30, 31])
  expect(card?.utilization.slice(59, 64)).toEqual([59, null, 77, 78, null])
  const vgpus = await getUtilization(world.ctx(), { ...scope, by: 'vgpu' })
  expect(vgpus.series.map(({ label, guest }) => [label, guest])).toEqual([['desk-1', guestUuid('guest-1')]])
  const whole = await getUtilization(world.ctx(), { ...scope, by: 'host' })
  expect(whole.series[0]?.utilization[59]).toBe(59)
})

test('longer ranges keep the extremes, and the fleet comes in hours', async () => {
  const { cloud } = await newHost()
  const from = new Date(HOUR - 40 * DAY_MS).toISOString()
  const cards = await getUtilization(world.ctx(), { cloud, host: 'cmp-1', by: 'pgpu', from })
  expect(cards.stepSeconds).toBe(3600)
  expect(cards.series[0]?.utilization).toHaveLength(961)
  expect(cards.series[0]?.utilizationMax.slice(-2)).toEqual([59, 78])
  const fleet = await getUtilization(world.ctx(), { cloud, from })
  expect(fleet.series[0]?.utilization.at(-2)).toBeCloseTo(30.5, 0)
  expect(fleet.series[0]?.utilization.at(-3)).toBeNull()
  const years = await getUtilization(world.ctx(), { cloud, from: '2024-11-21T00:00:00Z' })
  expect(years.stepSeconds).toBe(86_400)
  const { name, text } = await exportUtilization(world.ctx(), { cloud, from })
  expect(name).toMatch(/^sliceboard-cloud-\d+-utilization-all-2026-11-21\.csv$/)
  expect(text.split('\r\n')[1]).toMatch(/^2026-10-12T14:00:00.000Z,,,,,,,,$/)
})

test('idle vGPUs are listed with their owner, and as CSV', async () => {
  const { cloud, hostId } = await newHost()
  const { query } = world.database()
  const owner = { name: 'desk-1', flavorName: 'small', projectId: 'p1', projectName: 'Alpha' }
  const held = { guest: 'guest-1', ...owner, addresses: [ADDRESS], typeIds: ['nvidia-222'] }
  await addGuestChange(query, { hostId, at: new Date('2026-01-01T00:00:00Z'), ...held })
  const quiet = { count: 60, min: 0, average: 0, max: 0 }
  for (let daysAgo = 0; daysAgo < 20; daysAgo += 1)
    await writeUsageHours(query, {
      hostId,
      day: TODAY - daysAgo * DAY_MS,
      series: [
        {
          address: ADDRESS,
          vgpu: 'mdev-1',
          guest: guestUuid('guest-1'),
          hours: new Array(24).fill({ utilization: quiet, usedMib: null, totalMib: 4096 }),
        },
      ],
    })
  const found = await listIdleVgpus(world.ctx(READER), { cloud })
  expect(idleVgpusSchema.parse(found)).toMatchObject({
    days: 14,
    thresholdPercent: 1,
    held: 1,
    idleCount: 1,
    idle: [{ server: 'desk-1', project: 'Alpha', since: '2026-11-02T00:00:00.000Z' }],
  })
  expect((await exportIdleVgpus(world.ctx(), { cloud })).text.split('\r\n')[1]).toContain(
    `desk-1,${guestUuid('guest-1')},small,Alpha`,
  )
  expect((await listIdleVgpus(world.ctx(), { cloud, days: 30 })).idle).toEqual([])
  const heldOf = async (requested: object) => {
    const { held, idleCount } = await listIdleVgpus(world.ctx(READER), { cloud, ...requested })
    return [held, idleCount]
  }
  await query('UPDATE pgpu SET model = $2 WHERE host_id = $1', [hostId, 'NVIDIA A40'])
  for (const [by, key] of [
    ['type', 'nvidia-222'],
    ['flavor', 'small'],
    ['project', 'p1'],
    ['model', 'NVIDIA A40'],
  ])
    expect([by, await heldOf({ by, key }), await heldOf({ by, key: 'another' })]).toEqual([
      by,
      [1, 1],
      [0, 0],
    ])
  expect(await heldOf({ by: 'aggregate', key: 'gpu' })).toEqual([0, 0])
  expect(await heldOf({ host: 'cmp-1' })).toEqual([1, 1])
  expect(await heldOf({ host: 'cmp-1', address: ADDRESS })).toEqual([1, 1])
  expect(await heldOf({ host: 'cmp-1', address: '0000:62:00.0' })).toEqual([0, 0])
  // As of then it had not been idle for so long.
  expect(await heldOf({ until: new Date(TODAY - 10 * DAY_MS).toISOString() })).toEqual([1, 0])
  expect((await exportIdleVgpus(world.ctx(), { cloud, by: 'flavor', key: 'another' })).text).not.toContain(
    'desk-1',
  )
})

test('a tenant is refused, and so are a range that ends before it begins and days that are none', async () => {
  const { cloud } = await newHost()
  const forbidden = { code: 'forbidden' }
  await expect(getUtilization(world.ctx(TENANT), { cloud })).rejects.toMatchObject(forbidden)
  await expect(listIdleVgpus(world.ctx(TENANT), { cloud })).rejects.toMatchObject(forbidden)
  await expect(exportUtilization(world.ctx(TENANT), { cloud })).rejects.toMatchObject(forbidden)
  await expect(exportIdleVgpus(world.ctx(TENANT), { cloud })).rejects.toMatchObject(forbidden)
  const backwards = { cloud, from: '2026-11-22T00:00:00Z', until: '2026-11-21T00:00:00Z' }
  const validation = { code: 'validation' }
  await expect(getUtilization(world.ctx(), backwards)).rejects.toMatchObject({ ...validation, field: 'from' })
  await expect(getUtilization(world.ctx(), { cloud, by: 'vgpu' })).rejects.toMatchObject(validation)
  await expect(listIdleVgpus(world.ctx(), { cloud, days: 0 })).rejects.toMatchObject({
    ...validation,
    field: 'days',
  })
})
