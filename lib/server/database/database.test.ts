import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { errorCode } from '@/lib/server/errors/error-code'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '../testing/test-database'
import type { Connection, Database } from './database'
import { statement } from './statement'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('a raw query and Prisma see the same rows', async () => {
  await database.query('INSERT INTO cloud (name, region) VALUES ($1, $2)', ['raw', null])
  await database.prisma.cloud.create({ data: { name: 'model' } })
  expect(await database.prisma.cloud.count({ where: { name: { in: ['raw', 'model'] } } })).toBe(2)
  const rows = await database.query(
    'SELECT name FROM cloud WHERE name = ANY($1) ORDER BY name',
    [['raw', 'model']],
    anyRow<{ name: string }>(),
  )
  expect(rows).toEqual([{ name: 'model' }, { name: 'raw' }])
})

test('values come back alike on both engines', async () => {
  const at = new Date('2026-03-01T10:20:30.123Z')
  const [row] = await database.query(
    `SELECT $1::timestamptz AS at, 9007199254740991::bigint AS safe, 9007199254740993::bigint AS big,
       $2::jsonb AS json, $3::bytea AS bytes, ARRAY[1,2]::bigint[] AS bigints, ARRAY['a',NULL]::text[] AS texts, true AS yes`,
    [at, JSON.stringify([{ a: 1 }]), new Uint8Array([0, 255])],
    anyRow<{ bytes: Uint8Array }>(),
  )
  expect({ ...row, bytes: [...(row?.bytes ?? [])] }).toEqual({
    at,
    safe: 9007199254740991,
    big: 9007199254740993n,
    json: [{ a: 1 }],
    bytes: [0, 255],
    bigints: [1, 2],
    texts: ['a', null],
    yes: true,
  })
})

test('a rejected transaction leaves nothing', async () => {
  const work = database.transaction(async ({ query }) => {
    await query('INSERT INTO cloud (name) VALUES ($1)', ['half'])
    throw new Error('stop')
  })
  await expect(work).rejects.toThrow('stop')
  expect(await database.query('SELECT 1 FROM cloud WHERE name = $1', ['half'])).toEqual([])
})

test('a statement outside the open transaction fails immediately instead of waiting forever', async () => {
  const work = database.transaction(async ({ query }) => {
    await query('SELECT 1')
    await database.query('SELECT 1')
  })
  await expect(work).rejects.toThrow('A transaction is open here')
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('SQL and Prisma see what the other has done in the same transaction, and both end with it', async () => {
  const names = () => database.prisma.cloud.findMany({ where: { name: { startsWith: 'shared-' } } })
  const add = (connection: Connection) =>
    connection.query('INSERT INTO cloud (name) VALUES ($1)', ['shared-1'])
  await expect(
    database.transaction(async (connection) => {
      await add(connection)
      const found = await connection.prisma.cloud.update({
        where: { name: 'shared-1' },
        data: { name: 'shared-2' },
      })
      expect(await connection.query('SELECT name FROM cloud WHERE id = $1', [found.id])).toEqual([
        { name: 'shared-2' },
      ])
      throw new Error('stop')
    }),
  ).rejects.toThrow('stop')
  expect(await names()).toEqual([])
  await database.transaction(async (connection) => {
    await add(connection)
    await connection.prisma.cloud.create({ data: { name: 'shared-3' } })
  })
  expect(await names()).toHaveLength(2)
})

test('a Prisma statement outside the open transaction fails immediately, too', async () => {
  const work = database.transaction(async ({ query }) => {
    await query('SELECT 1')
    await database.prisma.cloud.count()
  })
  await expect(work).rejects.toThrow('A transaction is open here')
  expect(await database.prisma.cloud.count({ where: { name: 'missing' } })).toBe(0)
})

test('a row of another form than its schema is an error that names the column', async () => {
  const row = z.object({ one: z.string() })
  await expect(database.query('SELECT 1 AS one', [], row)).rejects.toThrow(
    'A row of "SELECT 1 AS one" has an unexpected one: Invalid input: expected string, received number',
  )
})

test('a query sees nothing of a transaction that others have open', async () => {
  const find = () => database.query('SELECT 1 FROM cloud WHERE name = $1', ['open'])
  // Prepared by then, it would come before the end of the transaction.
  expect(await find()).toEqual([])
  let undo = () => undefined
  const undone = new Promise((_, reject) => {
    undo = () => void reject(new Error('undone'))
  })
  let work: Promise<unknown> = undone
  await new Promise<void>((begun) => {
    work = database.transaction(async ({ query }) => {
      await query('INSERT INTO cloud (name) VALUES ($1)', ['open'])
      begun()
      await undone
    })
  })
  const seen = find()
  undo()
  await expect(work).rejects.toThrow('undone')
  expect(await seen).toEqual([])
})

test('more texts than are kept prepared all give their rows', async () => {
  for (const round of [1, 2])
    for (let n = 0; n < 300; n += 1)
      expect(await database.query(`SELECT $1::int + ${n} AS sum`, [round])).toEqual([{ sum: n + round }])
})

test('a closed database refuses queries', async () => {
  const other = await createTestDatabase()
  await other.close()
  await expect(other.query('SELECT 1')).rejects.toThrow()
})

test('interactive, nested and parallel work of Prisma and raw SQL all finish', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `parallel-${index}`)
  await Promise.all(
    names.map((name, index) =>
      index % 2 === 0
        ? database.prisma.$transaction(async (tx) => {
            const cloud = await tx.cloud.create({ data: { name, hosts: { create: { name: 'host' } } } })
            await tx.host.update({
              where: { cloudId_name: { cloudId: cloud.id, name: 'host' } },
              data: { boot: 1 },
            })
          })
        : database.transaction(async ({ query }) => {
            await query('INSERT INTO cloud (name) VALUES ($1)', [name])
          }),
    ),
  )
  expect(await database.prisma.cloud.count({ where: { name: { startsWith: 'parallel-' } } })).toBe(8)
  expect(await database.prisma.host.count({ where: { boot: 1 } })).toBe(4)
})

test('a failed commit is an error of Prisma', async () => {
  await database.query(`CREATE TABLE late (cloud_id int REFERENCES cloud (id) DEFERRABLE INITIALLY DEFERRED)`)
  const work = database.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('INSERT INTO late VALUES (-1)')
  })
  await expect(work).rejects.toThrow(/late_cloud_id_fkey|ForeignKey/)
  await database.query('DROP TABLE late')
})

test('a second cloud of the same name is P2002', async () => {
  await database.prisma.cloud.create({ data: { name: 'twice' } })
  const second = database.prisma.cloud.create({ data: { name: 'twice' } })
  await expect(second).rejects.toMatchObject({ code: 'P2002' })
  expect(await second.catch(errorCode)).toBe('23505')
})

const VALUES = `SELECT $1::timestamptz AS at, $2::jsonb AS json, $3::bytea AS bytes, $4::text[] AS texts, $5::int AS nothing,
  9007199254740991::bigint AS safe, true AS yes`

test('a prepared statement gives what its text gives, each time', async () => {
  const at = new Date('2026-03-01T10:20:30.123Z')
  const params = [at, JSON.stringify({ a: [1] }), new Uint8Array([0, 255]), '{a,"b c"}', null]
  const asText = await database.query(VALUES, params)
  const prepared = statement(VALUES)
  for (let n = 0; n < 7; n += 1) expect(await database.query(prepared, params)).toEqual(asText)
})

test('a prepared statement that fails leaves the connection and itself in order', async () => {
  const divide = statement('SELECT 12 / $1::int AS result')
  const work = database.transaction(async ({ query }) => {
    await query('INSERT INTO cloud (name) VALUES ($1)', ['undone'])
    await query(divide, [0])
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect(await database.query(divide, [4])).toEqual([{ result: 3 }])
  expect(await database.prisma.cloud.count({ where: { name: 'undone' } })).toBe(0)
})

test('a prepared statement follows a table that changes, for longer than a plan is kept', async () => {
  await database.query('CREATE TABLE growing (id int PRIMARY KEY)')
  const insert = statement('INSERT INTO growing SELECT unnest($1::int[]) RETURNING id')
  for (let id = 0; id < 600; id += 1) {
    if (id === 300) await database.query('CREATE INDEX growing_again ON growing (id)')
    expect(await database.query(insert, [`{${id}}`])).toEqual([{ id }])
  }
  await database.query('DROP TABLE growing')
})

test('a transaction that fails at its commit is rejected', async () => {
  await database.query('CREATE TABLE checked_late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)')
  const add = (times: number) =>
    database.transaction(async ({ query }) => {
      for (let n = 0; n < times; n += 1) await query('INSERT INTO checked_late VALUES (1)')
    })
  expect(await add(2).catch(errorCode)).toBe('23505')
  expect(await database.query('SELECT * FROM checked_late')).toEqual([])
  await add(1)
  expect(await database.query('SELECT * FROM checked_late')).toEqual([{ id: 1 }])
})
