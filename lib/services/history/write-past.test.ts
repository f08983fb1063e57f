import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { capacitySchema } from '@/lib/schemas/api/capacity'
import { anyRow } from '@/lib/server/testing/any-row'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { getRefusedDemand } from '@/lib/services/demand/get-refused-demand'
import { rebuildAndRollUp } from '@/lib/services/roll-up/rebuild-roll-ups'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createServiceWorld, NOW, READER } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { findIdleVgpus } from '@/lib/services/utilization/find-idle-vgpus'
import { rollUpUsage } from '@/lib/services/utilization/roll-up-groups'
import { writeUsageHours } from '@/lib/services/utilization/write-usage-hours'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { makePast } from '@/simulator/past/make-past'
import { measurePast, usageDays } from '@/simulator/past/past-usage'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { habitOf } from '@/simulator/usage/usage-pattern'
import { bringWatchesUp } from './bring-watches-up'
import { type WrittenPast, writePast } from './testing/write-past'
import { writeUsage } from './testing/write-usage'

vi.setConfig({ testTimeout: 60_000 })

const CLOUD = { name: 'paris-prod', region: 'RegionOne' }
const HOSTS = ['cmp-r2-07', 'cmp-r4-02', 'cmp-r6-02']
const DAY = 86_400_000
const DAYS = 40

const world = createServiceWorld()
const fleet = demoFleet({ seed: 3, startAt: NOW }).filter(({ spec }) => HOSTS.includes(spec.name))
const past = makePast({ fleet, seed: 3, end: NOW, days: DAYS })
let written: WrittenPast

const since = (days: number): Date => new Date(Math.floor(NOW.getTime() / DAY - days) * DAY)
const retainedFrom = { changesSince: since(800), hoursSince: since(400) }

const rollUps = () =>
  world
    .database()
    .query(
      `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM capacity_roll_up ORDER BY 1, 2, 3, 4`,
      [],
      anyRow<Record<string, unknown>>(),
    )

beforeAll(async () => {
  written = await writePast(world.database(), past, CLOUD)
  await writeUsage(world.database(), written, { past, fleet })
})

test('its roll-ups are those that the console makes of its rows', async () => {
  const before = await rollUps()
  const labels = await world.database().query('SELECT * FROM roll_up_label ORDER BY dimension, key')
  expect(before.length).toBeGreaterThan(DAYS * 5)
  expect(await rebuildAndRollUp(world.database(), retainedFrom)).toBe(1)
  expect(await rollUps()).toEqual(before)
  expect(await world.database().query('SELECT * FROM roll_up_label ORDER BY dimension, key')).toEqual(labels)
})

const usageGroups = () =>
  world
    .database()
    .query(
      `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM utilisation_roll_up ORDER BY 1, 2, 3, 4`,
      [],
      anyRow<Record<string, unknown>>(),
    )
const usagePages = () =>
  world.database().query(
    `SELECT host_id, kind, begin, encode(slots, 'hex') AS slots FROM utilisation_day UNION ALL
       SELECT host_id, kind, begin, encode(slots, 'hex') FROM utilisation_hour UNION ALL
       SELECT host_id, kind, begin, encode(slots, 'hex') FROM utilisation_vgpu_hour ORDER BY 1, 2, 3, 4`,
    [],
    anyRow<Record<string, unknown>>(),
  )

test('utilization is what the console writes and sums up of the same hours', async () => {
  const { database } = world
  const [pages, groups] = [await usagePages(), await usageGroups()]
  expect(groups.length).toBeGreaterThan(DAYS * 5)
  // The capacity was rebuilt before, which marked these days.
  while (!(await rollUpUsage(database(), written.cloudId)));
  expect(await usageGroups()).toEqual(groups)
  await database().query('TRUNCATE utilisation_day, utilisation_hour, utilisation_vgpu_hour')
  const retainedFrom = Math.floor(past.end / DAY - 35) * DAY
  for (const host of past.hosts) {
    const { spec } = fleet.find((one) => one.spec.name === host.name) ?? expect.fail(host.name)
    const hostId = written.hostIds.get(host.name) ?? 0
    for (const { day, series } of measurePast(spec, { past: host, days: usageDays(past), vgpusSince: 0 })) {
      if (day < retainedFrom + 10 * DAY) continue
      await database().transaction(({ query }) => writeUsageHours(query, { hostId, day, series }))
    }
  }
  while (!(await rollUpUsage(database(), written.cloudId)));
  const since = new Date(retainedFrom + 10 * DAY)
  const isRecent = ({ begin }: Record<string, unknown>) => new Date(String(begin)) >= since
  const isDay = ({ step }: Record<string, unknown>) => step === 'day'
  expect((await usagePages()).filter(isRecent)).toEqual(pages.filter(isRecent))
  expect(await usageGroups()).toEqual(groups)
  expect(groups.filter(isDay).length).toBeGreaterThan(10)
})

test('there is a gap where a host was silent, and idle vGPUs are named with their owners', async () => {
  const { query } = world.database()
  const host = past.hosts.find(({ name }) => name === 'cmp-r4-02') ?? expect.fail('no host')
  const index = host.watches.findIndex(
    ({ until }, at) => (host.watches[at + 1]?.since ?? 0) - until > 2 * 3_600_000,
  )
  const gap = Math.ceil((host.watches[index]?.until ?? 0) / 3_600_000) * 3_600_000
  const { spec } = fleet.find((one) => one.spec.name === host.name) ?? expect.fail(host.name)
  const days = [...measurePast(spec, { past: host, days: usageDays(past), vgpusSince: 0 })]
  const silent = days.find(({ day }) => day === Math.floor(gap / DAY) * DAY)?.series ?? []
  const hour = (gap % DAY) / 3_600_000
  expect(silent.filter(({ vgpu }) => vgpu === null).length).toBe(spec.gpus.length)
  for (const { hours } of silent) expect(hours[hour]).toBeNull()
  const asOf = new Date(past.end)
  const terms = { cloudId: written.cloudId, asOf, days: 14, thresholdPercent: 1 }
  const { idle, held } = await findIdleVgpus(query, terms)
  expect(idle.length).toBeGreaterThan(0)
  expect(idle.length).toBeLessThan(held / 2)
  for (const { project, server, guest, highestPercent } of idle) {
    expect([habitOf(guest), highestPercent]).toEqual(['idle', 0])
    expect([project, server]).not.toContain(null)
  }
})

test('pages show it', async () => {
  const from = new Date(past.begin).toISOString()
  const scope = { cloud: CLOUD.name, host: null, address: null, key: null, from, until: null }
  const ask = async (by: 'all' | 'project' | 'aggregate') =>
    capacitySchema.parse(await getCapacitySeries(world.ctx(READER), { ...scope, by }))
  const { series, firstKnownAt } = await ask('all')
  expect(Date.parse(firstKnownAt ?? '')).toBe(Math.floor(past.begin / DAY) * DAY)
  expect(series[0]?.used.filter((used) => used !== null).length).toBeGreaterThan(DAYS)
  expect((await ask('project')).series.map(({ label }) => label)).toContain('render-farm')
  expect((await ask('aggregate')).series.map(({ key }) => key)).toEqual(['gpu-desktop', 'gpu-compute'])
  expect((await getRefusedDemand(world.ctx(READER), { cloud: CLOUD.name, days: DAYS })).servers).toBe(
    past.refusals.length,
  )
})

type Row = { at: Date; address: string; used: number | null; capacity: number | null; typeId: string | null }

test('what the agents then report continues from it, without a jump or a gap', async () => {
  const { query } = world.database()
  const directory = makeTemporaryDirectory('past')
  try {
    // As after an enrolment of the hosts: positions restart.
    await query('UPDATE host SET boot = 0, sequence = 0')
    for (const { spec } of fleet) {
      const root = path.join(directory, spec.name)
      writeHostTree(root, spec)
      const inventory = await scanHost({ root, hostName: spec.name })
      await storeReport(world.database(), {
        cloudId: written.cloudId,
        inventory,
        // A little before the past's end: it counts there.
        seenAt: new Date(NOW.getTime() - 5000),
      })
    }
  } finally {
    removeTree(directory)
  }
  const stretches = await query(
    `SELECT since, until FROM host_watch WHERE until = $1 AND enrolment > 0`,
    [NOW],
    anyRow<{ since: Date; until: Date }>(),
  )
  expect(stretches).toHaveLength(HOSTS.length)
  expect(await query('SELECT DISTINCT watched_since AS at, watched_at AS until FROM host')).toEqual([
    { at: NOW, until: NOW },
  ])
  for (const host of past.hosts) {
    const jumps = await query(
      `SELECT at, address, used, capacity, type_id AS "typeId" FROM pgpu_history WHERE host_id = $1 AND at = $2 ORDER BY sequence`,
      [written.hostIds.get(host.name), NOW],
      anyRow<Row>(),
    )
    const last = new Map(host.points.map((point) => [point.address, point]))
    for (const { address, used, capacity, typeId } of jumps) {
      const before = last.get(address)
      expect([address, before?.used, before?.capacity, before?.typeId]).toEqual([
        address,
        used,
        capacity,
        typeId,
      ])
    }
  }
  expect(await query('SELECT 1 FROM guest_change WHERE at = $1', [NOW])).toEqual([])
})

test('the roll-ups continue where it ends, and leave what is behind', async () => {
  const { query } = world.database()
  await bringWatchesUp(query)
  const until = async () =>
    (await query(`SELECT min(at) AS at FROM roll_up_mark`, [], anyRow<{ at: Date | null }>()))[0]?.at ?? null
  expect(await until()).toEqual(NOW)
  const before = await rollUps()
  const horizon = new Date(NOW.getTime() + 1000)
  await rollUpCloud(world.database(), { cloudId: written.cloudId, horizon, ...retainedFrom })
  const today = NOW.toISOString().slice(0, 10)
  const isOlder = (row: Record<string, unknown>) => row.step === 'hour' && String(row.begin) < today
  expect((await rollUps()).filter(isOlder)).toEqual(before.filter(isOlder))
})
