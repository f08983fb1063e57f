import { expect, test, vi } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { dropOldHistory, makeMonths } from './keep-partitions'
import { writeHistoryWorld } from './testing/history-world'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })
const at = (text: string): Date => new Date(`${text}Z`)

const partitions = () =>
  world
    .database()
    .query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'pgpu_change'::regclass ORDER BY 1`,
      [],
      anyRow<{ name: string }>(),
    )
    .then((rows) => rows.map(({ name }) => name))

test('months are made ahead and hold what is written, and go when they are old without taking the state along', async () => {
  const { query } = world.database()
  await makeMonths(world.database(), at('2026-11-20T00:00'))
  await makeMonths(world.database(), at('2026-11-20T00:00'))
  expect(await partitions()).toEqual([
    'pgpu_change_2026_11',
    'pgpu_change_2026_12',
    'pgpu_change_2027_01',
    'pgpu_change_default',
  ])
  const { cloudId, append } = await writeHistoryWorld(world.database(), await world.newCloud())
  await append(at('2026-11-21T12:00'))
  const changes = () =>
    query(
      `SELECT at, host_id AS "hostId", address, used, sequence FROM pgpu_history ORDER BY host_id, address, at DESC`,
      [],
      anyRow<{ at: Date; address: string; hostId: number; used: number; sequence: number }>(),
    )
  const before = await changes()
  expect(await query('SELECT 1 FROM pgpu_change_default')).toEqual([])
  const horizon = at('2026-12-01T02:00')
  const terms = { cloudId, horizon, hoursSince: at('2026-01-01T00:00'), changesSince: at('2026-01-01T00:00') }
  await rollUpCloud(world.database(), terms)
  const days = () =>
    query(`SELECT dimension, key, slots FROM capacity_roll_up WHERE step = 'day' ORDER BY 1, 2`)
  const rolled = await days()
  await dropOldHistory(world.database(), {
    changesSince: at('2026-12-03T00:00'),
    hoursSince: at('2026-12-01T00:00'),
  })
  expect(await partitions()).not.toContain('pgpu_change_2026_11')
  const last = before.filter(
    (row, index) => row.hostId !== before[index - 1]?.hostId || row.address !== before[index - 1]?.address,
  )
  expect(last).toHaveLength(6)
  expect(await changes()).toEqual(last.map((row) => ({ ...row, at: at('2026-12-01T00:00') })))
  expect(await query('SELECT 1 FROM roll_up_mark')).toEqual([])
  expect(await days()).toEqual(rolled)
  expect(await query(`SELECT 1 FROM capacity_roll_up WHERE step = 'hour' AND begin < '2026-12-01'`)).toEqual(
    [],
  )
  expect(await query(`SELECT 1 FROM host_watch WHERE until < '2026-12-01'`)).toEqual([])
})

test('what no month took goes too, and what is not rolled up stays', async () => {
  const { query } = world.database()
  const { cloudId, append } = await writeHistoryWorld(world.database(), await world.newCloud())
  await append(at('2026-11-21T12:00'))
  const old = () => query(`SELECT 1 FROM pgpu_change_default WHERE at < '2026-12-01'`)
  const count = (await old()).length
  expect(count).toBeGreaterThan(100)
  await rollUpCloud(world.database(), {
    cloudId,
    horizon: at('2026-11-20T12:00'),
    hoursSince: at('2026-01-01T00:00'),
    changesSince: at('2026-01-01T00:00'),
  })
  const terms = { changesSince: at('2026-12-03T00:00'), hoursSince: at('2026-12-01T00:00') }
  await dropOldHistory(world.database(), terms)
  expect(await old()).toHaveLength(count)
  await query('UPDATE roll_up SET until = $1', [at('2026-12-10T00:00')])
  await dropOldHistory(world.database(), terms)
  expect(await old()).toEqual([])
})
