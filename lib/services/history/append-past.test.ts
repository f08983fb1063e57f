import { beforeAll, expect, test, vi } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { rebuildAndRollUp } from '@/lib/services/roll-up/rebuild-roll-ups'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { rollUpUsage } from '@/lib/services/utilization/roll-up-groups'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { continuePast, makePast } from '@/simulator/past/make-past'
import { appendPast } from './testing/append-past'
import { writePast } from './testing/write-past'
import { writeUsage } from './testing/write-usage'

vi.setConfig({ testTimeout: 60_000 })

const CLOUD = { name: 'paris-prod', region: 'RegionOne' }
const HOSTS = ['cmp-r2-07', 'cmp-r4-02']
const HOUR = 3_600_000
/** Where the first past ends: within an hour, and in another month than the second. */
const SEAM = new Date('2026-10-30T14:20:00Z')
const END = new Date(SEAM.getTime() + 60 * HOUR)

const world = createServiceWorld()
const fleet = demoFleet({ seed: 3, startAt: SEAM }).filter(({ spec }) => HOSTS.includes(spec.name))
const past = makePast({ fleet, seed: 3, end: SEAM, days: 9 })
const sequel = continuePast({ fleet, seed: 3, begin: SEAM, end: END })

const rows = (sql: string) => world.database().query(sql, [], anyRow<Record<string, unknown>>())
const rollUps = () =>
  rows(
    `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM capacity_roll_up ORDER BY 1, 2, 3, 4`,
  )
const usage = () =>
  rows(
    `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM utilisation_roll_up ORDER BY 1, 2, 3, 4`,
  )
const usageBefore = (): Promise<Record<string, unknown>[]> =>
  rows(
    `SELECT host_id, begin, encode(slots, 'hex') AS slots FROM utilisation_hour WHERE begin < '2026-10-30' ORDER BY 1, 2`,
  )

let cloudId = 0
let measured: Record<string, unknown>[] = []

beforeAll(async () => {
  expect(END.getTime()).toBeLessThan(NOW.getTime())
  const written = await writePast(world.database(), past, CLOUD)
  cloudId = written.cloudId
  await writeUsage(world.database(), written, { past, fleet })
  measured = await usageBefore()
  await appendPast(world.database(), { past: sequel, fleet, cloud: CLOUD.name })
})

test('its roll-ups are those that the console makes of the rows of both', async () => {
  const before = await rollUps()
  const [stands] = await world.database().query('SELECT until FROM roll_up', [], anyRow<{ until: Date }>())
  expect(stands?.until).toEqual(END)
  const since = (days: number) => new Date(Math.floor(END.getTime() / (24 * HOUR) - days) * 24 * HOUR)
  expect(await rebuildAndRollUp(world.database(), { changesSince: since(800), hoursSince: since(400) })).toBe(
    1,
  )
  expect(await rollUps()).toEqual(before)
})

test('utilization continues in the hour of the seam, and groups are those of the hosts', async () => {
  expect(await usageBefore()).toEqual(measured)
  const before = await usage()
  const hours = await rows(`SELECT DISTINCT begin FROM utilisation_hour WHERE kind = 'pgpu' ORDER BY 1`)
  const days = Math.floor(END.getTime() / (24 * HOUR)) - Math.floor(past.begin / (24 * HOUR)) + 1
  expect(hours).toHaveLength(days)
  await world
    .database()
    .query(
      `INSERT INTO utilisation_mark (cloud_id, day) SELECT DISTINCT $1::int, begin::date FROM utilisation_hour`,
      [cloudId],
    )
  while (!(await rollUpUsage(world.database(), cloudId)));
  const isRecent = ({ begin }: Record<string, unknown>) => String(begin) >= '2026-10-30'
  expect((await usage()).filter(isRecent)).toEqual(before.filter(isRecent))
  expect(before.filter(isRecent).length).toBeGreaterThan(8)
})

test('hosts were watched without a gap, and their agents continue from the last row', async () => {
  const hosts = await rows('SELECT watched_since AS since, watched_at AS at FROM host')
  for (const host of hosts) expect(host.at).toEqual(END)
  const [{ missing } = { missing: -1 }] = await world.database().query(
    `SELECT count(*)::int AS missing FROM pgpu_change c JOIN host h ON h.id = c.host_id WHERE c.at >= $1 AND NOT EXISTS (
       SELECT 1 FROM host_watch w WHERE w.host_id = c.host_id AND w.since <= c.at AND w.until >= c.at)`,
    [SEAM],
    anyRow<{ missing: number }>(),
  )
  expect(missing).toBe(0)
  const [{ late } = { late: -1 }] = await world
    .database()
    .query(
      `SELECT count(*)::int AS late FROM pgpu_change c JOIN host h ON h.id = c.host_id WHERE c.sequence > h.sequence`,
      [],
      anyRow<{ late: number }>(),
    )
  expect(late).toBe(0)
})
