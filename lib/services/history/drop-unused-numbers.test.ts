import { expect, test, vi } from 'vitest'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { signal } from '@/lib/services/testing/signal'
import { whoWaits } from '@/lib/services/testing/waiting'
import { removeRetired, retireUnused } from './drop-unused-numbers'
import { dropOldHistory, makeMonths } from './keep-partitions'
import { addGuestChange, addPgpuChange } from './testing/add-changes'

const world = createServiceWorld()
const isOnPostgres = readTestDatabaseUrl() !== null
vi.setConfig({ testTimeout: 60_000 })

const ADDRESS = '0000:61:00.0'
const OLD = new Date('2026-10-20T10:00Z')
const LATER = new Date('2026-11-20T10:00Z')

const newHost = async (): Promise<number> => {
  const { id: cloudId } = await world.newCloud()
  return writeHost(world.database(), { cloudId, name: 'cmp-1', pgpus: [{ address: ADDRESS }] })
}
let sequence = 0
const say = (hostId: number, at: Date, model: string) =>
  addPgpuChange(world.database().query, { hostId, sequence: ++sequence, at, address: ADDRESS, model })
const hold = (hostId: number, at: Date, flavorName: string) =>
  addGuestChange(world.database().query, {
    hostId,
    sequence: ++sequence,
    at,
    guest: 'guest-1',
    flavorName,
    addresses: [ADDRESS],
    typeIds: [flavorName],
  })
const numberOf = async (model: string): Promise<number[]> =>
  (
    await world
      .database()
      .query('SELECT id FROM pgpu_point WHERE model = $1 ORDER BY id', [model], anyRow<{ id: number }>())
  ).map(({ id }) => id)
const texts = async () => {
  const { query } = world.database()
  const read = async (sql: string) =>
    (await query(sql, [], anyRow<{ text: string }>())).map(({ text }) => text)
  return {
    models: await read('SELECT model AS text FROM pgpu_point ORDER BY 1'),
    flavors: await read('SELECT flavor_name AS text FROM guest_owner ORDER BY 1'),
    held: await read('SELECT type_ids[1] AS text FROM held_vgpus ORDER BY 1'),
  }
}

test('what only dropped months named goes with the turn after theirs, and the rest stays as it was', async () => {
  const { query } = world.database()
  await makeMonths(world.database(), OLD)
  const hostId = await newHost()
  await say(hostId, OLD, 'gone')
  await say(hostId, OLD, 'carried')
  await hold(hostId, OLD, 'gone')
  await hold(hostId, OLD, 'carried')
  await say(hostId, LATER, 'stays')
  await hold(hostId, LATER, 'stays')
  const terms = { changesSince: new Date('2026-11-05T00:00Z'), hoursSince: OLD }
  await dropOldHistory(world.database(), terms)
  const all = ['carried', 'gone', 'stays']
  expect(await texts()).toEqual({ models: all, flavors: all, held: all })
  const before = await query(
    'SELECT * FROM pgpu_history ORDER BY at, sequence',
    [],
    anyRow<{ model: string }>(),
  )
  expect(before.map(({ model }) => model)).toEqual(['carried', 'stays'])
  const left = ['carried', 'stays']
  // Transactions of other databases of the server hold it back, too: other tests have them.
  const nextTurn = async () => {
    await dropOldHistory(world.database(), terms)
    return texts()
  }
  await expect.poll(nextTurn, { timeout: 10_000 }).toEqual({ models: left, flavors: left, held: left })
  expect(
    await query('SELECT * FROM pgpu_history ORDER BY at, sequence', [], anyRow<{ model: string }>()),
  ).toEqual(before)
})

test('a number that a writer had found before stays, and who comes later makes another', async () => {
  const { query } = world.database()
  const hostId = await newHost()
  await say(hostId, LATER, 'slow')
  const [found] = await numberOf('slow')
  await query('DELETE FROM pgpu_change WHERE host_id = $1', [hostId])
  await retireUnused(query)
  await say(hostId, LATER, 'slow')
  const [, other] = await numberOf('slow')
  expect(other).toBeGreaterThan(found ?? 0)
  // As a statement commits that looked its number up before.
  await query(
    `INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
     SELECT at, host_id, address_id, $2, enrolment, boot, sequence + 1 FROM pgpu_change WHERE host_id = $1`,
    [hostId, found],
  )
  await removeRetired(query)
  expect(await numberOf('slow')).toEqual([found, other])
  await query('DELETE FROM pgpu_change WHERE point_id = $1', [found])
  await retireUnused(query)
  const left = async () => {
    await removeRetired(query)
    return numberOf('slow')
  }
  await expect.poll(left, { timeout: 10_000 }).toEqual([other])
  await say(hostId, new Date(LATER.getTime() + 1000), 'slow')
  expect(await numberOf('slow')).toEqual([other])
})

test.runIf(isOnPostgres)('a number stays that a transaction found right before it was hidden', async () => {
  const database = world.database()
  const hostId = await newHost()
  await say(hostId, LATER, 'just found')
  const [found] = await numberOf('just found')
  await database.query('DELETE FROM pgpu_change WHERE host_id = $1', [hostId])
  const [isHeld, mayHide, hasFound, mayEnd] = [signal(), signal(), signal(), signal()]
  const holding = database.transaction(async ({ query }) => {
    await query('SELECT 1 FROM pgpu_point WHERE id = $1 FOR UPDATE', [found])
    isHeld.give()
    await mayHide.given
  })
  await isHeld.given
  const hiding = retireUnused(database.query)
  await expect.poll(() => whoWaits(database.query)).not.toEqual([])
  // Its id is the next after that of the one that hides.
  const writing = database.transaction(async ({ query }) => {
    await query('SELECT pg_current_xact_id()')
    await query('SELECT 1 FROM pgpu_point WHERE id = $1 AND retired_before IS NULL', [found])
    hasFound.give()
    await mayEnd.given
  })
  await hasFound.given
  mayHide.give()
  await holding
  await hiding
  await removeRetired(database.query)
  expect(await numberOf('just found')).toEqual([found])
  mayEnd.give()
  await writing
})

test('nothing goes while a transaction is open that may have found it', async () => {
  const { query } = world.database()
  const hostId = await newHost()
  await say(hostId, LATER, 'open')
  await query('DELETE FROM pgpu_change WHERE host_id = $1', [hostId])
  await retireUnused(query)
  // As if the number had been hidden while a transaction of now was open.
  await query(
    `UPDATE pgpu_point SET retired_before = pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000
     WHERE retired_before IS NOT NULL`,
  )
  await removeRetired(query)
  expect(await numberOf('open')).toHaveLength(1)
})
