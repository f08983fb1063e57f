import { expect, test } from 'vitest'
import type { Query } from '@/lib/server/database/database'
import { readTestDatabaseUrl } from '@/lib/server/env'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { signal } from '@/lib/services/testing/signal'
import { whoWaits } from '@/lib/services/testing/waiting'
import { createHistoryNumbers, type HistoryNumbers } from './history-numbers'
import type { Row } from './host-rows'
import type { HistoryWrite } from './write-history'
import { writeHistory } from './write-history'

const world = createServiceWorld()
const isOnPostgres = readTestDatabaseUrl() !== null
const AT = Date.parse('2026-11-20T10:00:00.123Z')
const UUID = '0b5c7a51-53f4-4a0c-9d59-2f9f3f1d7a10'

const writeOf = (hostId: number, { changes = [], holdings = [] }: Partial<HistoryWrite>): HistoryWrite => ({
  cloudId: 1,
  host: {
    id: hostId,
    enrolment: 1,
    position: { boot: 0, sequence: 0 },
    digest: null,
    version: 0,
    watch: { since: null, at: null },
    credentialId: null,
  },
  position: { boot: 1, sequence: 1 },
  at: AT,
  changes,
  holdings,
})

/** Whatever texts a host may tell: those that look like others, and those that an array has to quote. */
const POINTS: readonly Row[] = [
  ['0000:61:00.0', 'nvidia-222', 'mdev', 12, 3, 9, 0, 0, 9, 'A40-4Q', 'NVIDIA A40'],
  ['0000:61:00.0', 'nvidia-222', 'mdev', 12, null, null, 0, 0, 9, 'A40-4Q', 'NVIDIA A40'],
  ['0000:61:00.0', 'nvidia-222', 'mdev', 12, 0, 0, 0, 0, 9, 'A40-4Q', 'NVIDIA A40'],
  ['0000:61:00.0', null, 'mdev', null, null, null, null, null, null, null, 'NVIDIA A40'],
  ['0000:61:00.0', 'null', 'mdev', null, null, null, null, null, null, '', 'NVIDIA "A40", {large}'],
  ['0000:61:00.0', '', 'mdev', null, null, null, null, null, null, null, 'NVIDIA A40'],
  ['0000:62:00.0'],
  ['odd "slot", {1}\\', 'nvidia-222', 'mdev', 12, 3, 9, 0, 0, 9, 'A40-4Q', 'NVIDIA A40'],
]
const HOLDINGS: readonly Row[] = [
  [UUID, 'vdi-1', 'vgpu.small', 'p1', 'Alpha', ['0000:61:00.0'], ['nvidia-222']],
  [UUID, 'vdi-1', 'vgpu.small', 'p1', 'Alpha', ['0000:61:00.0', '0000:61:00.0'], ['nvidia-222', '']],
  [UUID, 'vdi-1', null, null, null, ['a,b', 'c"d', 'null'], ['{}', '', '\\']],
  [UUID, 'vdi-1', 'a', 'b', 'c', ['a', 'b', 'c"d', 'null'], ['{}', '', '\\']],
  [UUID, 'vdi-1', '', 'null', null, [], []],
]

type Numbered = { points: (readonly unknown[])[]; holdings: (readonly unknown[])[] }

const numbersOf = async (
  numbers: HistoryNumbers,
  query: Query,
  writes: readonly HistoryWrite[],
): Promise<Numbered | null> => {
  const rows = await numbers.numberRows(query, writes)
  return (
    rows && {
      points: rows.points.map((row) => row.slice(5)),
      holdings: rows.holdings.map((row) => row.slice(5)),
    }
  )
}

/** Counts the statements. */
const counting = (query: Query) => {
  const asked: unknown[] = []
  const counted: Query = (sql, params) => {
    asked.push(sql)
    return query(sql, params)
  }
  return { asked, counted }
}

const newHost = async (): Promise<number> => {
  const { id } = await world.newCloud()
  const [host] = await world
    .database()
    .query<{ id: number }>(`INSERT INTO host (cloud_id, name) VALUES ($1, 'cmp-1') RETURNING id`, [id])
  return host?.id ?? 0
}

test('numbers are those by which rows are written with their texts, whichever came first', async () => {
  const { query } = world.database()
  const hostId = await newHost()
  const numbers = createHistoryNumbers()
  const first = writeOf(hostId, { changes: POINTS.slice(0, 4), holdings: HOLDINGS.slice(0, 2) })
  await numbersOf(numbers, query, [first])
  const all = writeOf(hostId, { changes: POINTS, holdings: HOLDINGS })
  await writeHistory(query, [all])
  const stored = {
    points: (
      await query<{ a: number; b: number }>(
        'SELECT address_id AS a, point_id AS b FROM pgpu_change WHERE host_id = $1 ORDER BY ctid',
        [hostId],
      )
    ).map(({ a, b }) => [a, b]),
    holdings: (
      await query<{ a: number; b: number }>(
        'SELECT owner_id AS a, held_id AS b FROM guest_change WHERE host_id = $1 ORDER BY ctid',
        [hostId],
      )
    ).map(({ a, b }) => [UUID, 'vdi-1', a, b]),
  }
  expect(await numbersOf(numbers, query, [all])).toEqual(stored)
  expect(new Set(stored.points.map(String)).size).toBe(POINTS.length)
  expect(new Set(stored.holdings.map(String)).size).toBe(HOLDINGS.length)
})

test('what is known is not asked for, until it is forgotten', async () => {
  const { asked, counted } = counting(world.database().query)
  const numbers = createHistoryNumbers()
  const writes = [writeOf(1, { changes: POINTS, holdings: HOLDINGS }), writeOf(2, { changes: POINTS })]
  const told = await numbersOf(numbers, counted, writes)
  expect(asked).toHaveLength(4)
  const again = numbers.numberRows(counted, writes)
  expect(again).not.toBeInstanceOf(Promise)
  expect(asked).toHaveLength(4)
  numbers.forget()
  expect(await numbersOf(numbers, counted, writes)).toEqual(told)
  expect(asked).toHaveLength(8)
})

test.runIf(isOnPostgres)('two consoles that meet the same new ones at once number them alike', async () => {
  const database = world.database()
  const fresh = POINTS.map(([address = null, ...rest]): Row => [`new ${address}`, ...rest.slice(0, 9), 'new'])
  const writes = [
    writeOf(1, { changes: fresh, holdings: [[UUID, 'n', 'new', null, null, ['new'], ['new']]] }),
  ]
  const [hasMade, mayEnd] = [signal(), signal()]
  const here = database.transaction(async (query) => {
    const numbered = await numbersOf(createHistoryNumbers(), query, writes)
    hasMade.give()
    await mayEnd.given
    return numbered
  })
  // The second asks when the first has made them, and before anybody else can see that.
  await hasMade.given
  const there = numbersOf(createHistoryNumbers(), database.query, writes)
  await expect.poll(() => whoWaits(database.query)).not.toEqual([])
  mayEnd.give()
  expect((await here)?.points).toHaveLength(POINTS.length)
  expect(await there).toEqual(await here)
})

test('groups side by side wait for their own new ones alone', async () => {
  const { query } = world.database()
  const numbers = createHistoryNumbers()
  const of = (name: string) => [
    writeOf(1, { changes: [[name, 'side', 'mdev', 1, 1, 0, 0, 0, 0, name, name]] }),
  ]
  await numbersOf(numbers, query, of('known'))
  const learning = [numbersOf(numbers, query, of('first')), numbersOf(numbers, query, of('second'))]
  expect(numbers.numberRows(query, of('known'))).not.toBeInstanceOf(Promise)
  expect(await Promise.all(learning)).not.toContain(null)
})

test('no more are kept than may be: a group whose numbers do not fit goes another way', async () => {
  const { query } = world.database()
  const numbers = createHistoryNumbers(2)
  const of = (...places: number[]) => [writeOf(1, { changes: places.map((place) => POINTS[place] ?? []) })]
  expect(await numbersOf(numbers, query, of(0, 1))).not.toBeNull()
  expect(await numbersOf(numbers, query, of(0, 2))).toBeNull()
  expect(await numbersOf(numbers, query, of(2))).not.toBeNull()
})
