import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { writeAudit } from './audit'
import { verifyAudit } from './verify-audit'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const write = (subject: string, after: unknown = null) =>
  database.transaction(({ query }) =>
    writeAudit(query, {
      at: new Date('2026-01-02T03:04:05.678Z'),
      cloud: 'paris',
      actor: { kind: 'user', name: 'anna', roles: ['admin'] },
      action: 'join-token.create',
      subject,
      before: null,
      after,
    }),
  )

/** What an intruder with the database's superuser could do. */
const tamper = (sql: string) =>
  database.transaction(async ({ query }) => {
    await query('ALTER TABLE audit_entry DISABLE TRIGGER ALL')
    await query(sql)
    await query('ALTER TABLE audit_entry ENABLE TRIGGER ALL')
  })

test('an empty audit holds', async () => {
  expect(await verifyAudit(database.query)).toMatchObject({ entries: 0, broken: null })
})

test('entries written at once form one chain', async () => {
  const values = [
    null,
    { b: 1, a: [1.5, { z: 'ü', y: null }] },
    'text',
    12345678901234,
    [true],
    { at: new Date(0) },
  ]
  await Promise.all(
    Array.from({ length: 24 }, (_, index) => write(`token:${index}`, values[index % values.length])),
  )
  expect(await verifyAudit(database.query)).toMatchObject({ entries: 24, broken: null })
  const forks = await database.query(
    'SELECT prev_hash FROM audit_entry GROUP BY prev_hash HAVING count(*) > 1',
  )
  expect(forks).toEqual([])
})

test('an entry of a transaction that fails is not in the chain', async () => {
  await expect(
    database.transaction(async ({ query }) => {
      await writeAudit(query, {
        at: new Date(),
        cloud: 'paris',
        actor: { kind: 'system' },
        action: 'join-token.create',
        subject: 'b',
        before: null,
        after: null,
      })
      throw new Error('stop')
    }),
  ).rejects.toThrow('stop')
  await write('token:after')
  expect(await verifyAudit(database.query)).toMatchObject({ entries: 25, broken: null })
})

test.each(['UPDATE audit_entry SET actor = $$x$$', 'DELETE FROM audit_entry', 'TRUNCATE audit_entry'])(
  '%s is refused',
  async (sql) => {
    await expect(database.query(sql)).rejects.toThrow('audit_entry is append-only')
  },
)

test.each([
  ['at', `at + interval '1 millisecond'`],
  ['cloud', `'rome'`],
  ['actor', `'user:bertha'`],
  ['action', `'join-token.revoke'`],
  ['subject', `'token:99'`],
  ['before', `'{"uses": 1}'`],
  ['after', `'{"uses": 1}'`],
  ['hash', `repeat('1', 64)`],
])('an entry whose %s was changed is found, and holds when it is changed back', async (column, value) => {
  const [stood] = await database.query(
    `SELECT ${column}::text AS value FROM audit_entry WHERE id = 3`,
    [],
    anyRow<{ value: string | null }>(),
  )
  await tamper(`UPDATE audit_entry SET ${column} = ${value} WHERE id = 3`)
  expect((await verifyAudit(database.query)).broken?.id).toBe(3)
  const text = stood?.value ?? null
  await tamper(`UPDATE audit_entry SET ${column} = ${text === null ? 'NULL' : `$$${text}$$`} WHERE id = 3`)
  expect((await verifyAudit(database.query)).broken).toBeNull()
})

test('a changed entry, a missing one and an exchanged one are found', async () => {
  await tamper(`UPDATE audit_entry SET subject = 'token:99' WHERE id = 5`)
  expect((await verifyAudit(database.query)).broken).toEqual({
    id: 5,
    reason: 'its content does not match its hash',
  })
  await tamper(`DELETE FROM audit_entry WHERE id = 5`)
  expect((await verifyAudit(database.query)).broken).toEqual({
    id: 6,
    reason: 'it does not follow the entry before it',
  })
})
