import { expect, test, vi } from 'vitest'
import type { Database } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { bringWatchesUp } from '@/lib/services/history/bring-watches-up'
import { addPgpuChange } from '@/lib/services/history/testing/add-changes'
import { type HistoryWorld, writeHistoryWorld } from '@/lib/services/history/testing/history-world'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { signal } from '@/lib/services/testing/signal'
import { rebuildRollUps } from './rebuild-roll-ups'
import { type RollUpMemory, rollUpCloud } from './roll-up-cloud'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })
const at = (text: string): Date => new Date(`2026-11-${text}Z`)

const terms = (cloudId: number, horizon: Date) => ({
  cloudId,
  horizon,
  hoursSince: at('01T00:00'),
  changesSince: at('01T00:00'),
})

const rollUpTo = async (cloudId: number, horizon: Date, memory?: RollUpMemory): Promise<void> => {
  await bringWatchesUp(world.database().query)
  await rollUpCloud(world.database(), terms(cloudId, horizon), { memory })
}

const rowsOf = (cloudId: number) =>
  world.database().query(
    `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM capacity_roll_up
     WHERE cloud_id = $1 ORDER BY 1, 2, 3, 4`,
    [cloudId],
    anyRow<{ step: string; dimension: string; key: string; begin: string; slots: string }>(),
  )

/** What a rebuild makes of the same history. */
const rebuilt = async (cloudId: number, horizon: Date) => {
  await rebuildRollUps(world.database(), { cloudId, changesSince: at('01T00:00') })
  await rollUpTo(cloudId, horizon)
  return rowsOf(cloudId)
}

const newHistory = async (): Promise<HistoryWorld> =>
  writeHistoryWorld(world.database(), await world.newCloud())

const ROLLED_UNTIL = at('21T15:00')

test('rolled up as the hours go it is what a rebuild makes of it', async () => {
  const { cloudId, append } = await newHistory()
  const memory: RollUpMemory = new Map()
  for (let minute = at('20T09:00').getTime(); minute < ROLLED_UNTIL.getTime(); minute += 97 * 60_000) {
    await append(new Date(minute))
    await rollUpTo(cloudId, new Date(minute - 120_000), memory)
  }
  await rollUpTo(cloudId, ROLLED_UNTIL, memory)
  const rows = await rowsOf(cloudId)
  expect(rows.length).toBeGreaterThan(15)
  expect(await rebuilt(cloudId, ROLLED_UNTIL)).toEqual(rows)
})

test('what arrives late makes its hours and days new, and so does a stretch that turns out to be watched', async () => {
  const { cloudId, append, appendLate } = await newHistory()
  const memory: RollUpMemory = new Map()
  await append(at('21T10:00'))
  await rollUpTo(cloudId, at('21T12:00'), memory)
  const before = await rowsOf(cloudId)
  await appendLate(at('20T23:10'), at('21T11:50'))
  await rollUpTo(cloudId, at('21T12:00'), memory)
  const after = await rowsOf(cloudId)
  expect(after).not.toEqual(before)
  expect(await rebuilt(cloudId, at('21T12:00'))).toEqual(after)
})

test.skipIf(readTestDatabaseUrl() === null)(
  'what was written before the roll-up and commits after it is found by the next one',
  async () => {
    const { cloudId, append, hostIds } = await newHistory()
    await append(at('21T10:00'))
    await rollUpTo(cloudId, at('21T11:00'))
    const gate = signal()
    const written = signal()
    const slow = world.database().transaction(async ({ query }) => {
      await addPgpuChange(query, {
        ...{ hostId: hostIds[0] ?? 0, sequence: 9999, at: at('21T09:10') },
        ...{ address: '0000:61:00.0', framework: 'mdev', capacity: 4, used: 4 },
      })
      written.give()
      await gate.given
    })
    await written.given
    await rollUpTo(cloudId, at('21T12:00'))
    const before = await rowsOf(cloudId)
    gate.give()
    await slow
    await rollUpTo(cloudId, at('21T12:00'))
    const after = await rowsOf(cloudId)
    expect(after).not.toEqual(before)
    expect(await rebuilt(cloudId, at('21T12:00'))).toEqual(after)
  },
)

test('reports that arrive for a day that is done wait for the next call', async () => {
  const { cloudId, append, hostIds } = await newHistory()
  await append(ROLLED_UNTIL)
  let parts = 0
  const lateReport = async () => {
    parts += 1
    if (parts > 20) throw new Error('the same days are made again and again')
    await addPgpuChange(world.database().query, {
      ...{ hostId: hostIds[0] ?? 0, sequence: 9000 + parts, at: at('20T09:30') },
      ...{ address: '0000:61:00.0', framework: 'mdev', capacity: 4, used: parts % 4 },
    })
    return true
  }
  await rollUpCloud(world.database(), terms(cloudId, ROLLED_UNTIL), { mayGoOn: lateReport })
  const [row] = await world
    .database()
    .query('SELECT until FROM roll_up WHERE cloud_id = $1', [cloudId], anyRow<{ until: Date }>())
  expect(row?.until).toEqual(ROLLED_UNTIL)
  await rollUpTo(cloudId, ROLLED_UNTIL)
  const rows = await rowsOf(cloudId)
  expect(await rebuilt(cloudId, ROLLED_UNTIL)).toEqual(rows)
})

/** The database, which breaks at the given statement. */
const breakingAt = (statement: number): { database: Database; count: () => number } => {
  let seen = 0
  return {
    count: () => seen,
    database: {
      ...world.database(),
      transaction: (work) =>
        world.database().transaction(({ query, prisma }) =>
          work({
            prisma,
            query: createQuery((sql, params) => {
              seen += 1
              if (seen === statement) return Promise.reject(new Error('killed'))
              return query(sql, params)
            }),
          }),
        ),
    },
  }
}

test('killed at any statement and begun again, it is what it is without', async () => {
  const { cloudId, append } = await newHistory()
  await append(at('21T10:00'))
  await rollUpTo(cloudId, at('21T02:00'))
  const memory: RollUpMemory = new Map()
  let broken = 0
  for (let statement = 1; statement < 60; statement += 1) {
    const { database } = breakingAt(statement)
    try {
      await rollUpCloud(database, terms(cloudId, at('21T12:00')), { memory })
      break
    } catch {
      broken += 1
    }
  }
  expect(broken).toBeGreaterThan(8)
  const rows = await rowsOf(cloudId)
  expect(await rebuilt(cloudId, at('21T12:00'))).toEqual(rows)
})

test('days whose hours are not kept any more are summed all the same', async () => {
  const { cloudId, append } = await newHistory()
  await append(at('21T10:00'))
  await rollUpTo(cloudId, at('21T12:00'))
  const rows = await rowsOf(cloudId)
  await rebuildRollUps(world.database(), { cloudId, changesSince: at('01T00:00') })
  const late = { ...terms(cloudId, at('21T12:00')), hoursSince: at('21T00:00') }
  await rollUpCloud(world.database(), late)
  const retained = rows.filter(({ step, begin }) => step === 'day' || begin === '2026-11-21')
  expect(await rowsOf(cloudId)).toEqual(retained)
  expect(retained.length).toBeLessThan(rows.length)
})
