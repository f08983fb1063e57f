import { rmSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { capacitySchema } from '@/lib/schemas/api/capacity'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { getRefusedDemand } from '@/lib/services/demand/get-refused-demand'
import { createServiceWorld, NOW, READER } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { makePast } from '@/simulator/past/make-past'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { bringWatchesUp } from './bring-watches-up'
import { rebuildAndRollUp } from './rebuild-roll-ups'
import { rollUpPart } from './roll-up-part'
import { type WrittenPast, writePast } from './testing/write-past'

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
const kept = { changesSince: since(800), hoursSince: since(400) }

const rollUps = () =>
  world
    .database()
    .query(
      `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM capacity_roll_up ORDER BY 1, 2, 3, 4`,
    )

beforeAll(async () => {
  written = await writePast(world.database(), past, CLOUD)
})

test('its roll-ups are those that the console makes of its rows', async () => {
  const before = await rollUps()
  const labels = await world.database().query('SELECT * FROM roll_up_label ORDER BY dimension, key')
  expect(before.length).toBeGreaterThan(DAYS * 5)
  expect(await rebuildAndRollUp(world.database(), kept)).toBe(1)
  expect(await rollUps()).toEqual(before)
  expect(await world.database().query('SELECT * FROM roll_up_label ORDER BY dimension, key')).toEqual(labels)
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

test('what the agents then report goes on from it, without a jump or a gap', async () => {
  const { query } = world.database()
  const directory = makeTemporaryDirectory('past')
  try {
    // As an enrolment leaves the hosts: positions begin anew.
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
    rmSync(directory, { recursive: true, force: true })
  }
  const stretches = await query<{ since: Date; until: Date }>(
    `SELECT since, until FROM host_watch WHERE until = $1 AND enrolment > 0`,
    [NOW],
  )
  expect(stretches).toHaveLength(HOSTS.length)
  expect(await query('SELECT DISTINCT watched_since AS at, watched_at AS until FROM host')).toEqual([
    { at: NOW, until: NOW },
  ])
  for (const host of past.hosts) {
    const told = await query<Row>(
      `SELECT at, address, used, capacity, type_id AS "typeId" FROM pgpu_change WHERE host_id = $1 AND at = $2 ORDER BY sequence`,
      [written.hostIds.get(host.name), NOW],
    )
    const last = new Map(host.points.map((point) => [point.address, point]))
    for (const { address, used, capacity, typeId } of told) {
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

test('the roll-ups go on where it ends, and leave what is behind', async () => {
  const { query } = world.database()
  await bringWatchesUp(query)
  const until = async () =>
    (await query<{ at: Date | null }>(`SELECT min(at) AS at FROM roll_up_mark`))[0]?.at ?? null
  expect(await until()).toEqual(NOW)
  const before = await rollUps()
  const horizon = new Date(NOW.getTime() + 1000)
  while (!(await rollUpPart(world.database(), { cloudId: written.cloudId, horizon, ...kept })));
  const today = NOW.toISOString().slice(0, 10)
  const isOlder = (row: Record<string, unknown>) => row.step === 'hour' && String(row.begin) < today
  expect((await rollUps()).filter(isOlder)).toEqual(before.filter(isOlder))
})
