import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAudit } from '@/lib/server/audit/audit'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { createRandom } from '@/simulator/random/random'
import { chaosTimes, printFacts } from './testing/times'

const TIMES = chaosTimes({ short: 90, long: 10_000 })
const ENTRIES = 60
const SEED = 20_261_122

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  for (let entry = 1; entry <= ENTRIES; entry += 1)
    await database.transaction(({ query }) =>
      writeAudit(query, {
        at: new Date(Date.UTC(2026, 0, 1, 0, entry)),
        cloud: 'paris',
        actor: { kind: 'user', name: `admin-${entry % 3}`, roles: ['admin'] },
        action: 'change.start',
        subject: `change:${entry}`,
        before: { state: 'planned', note: null },
        after: { state: 'running', gpus: [`0000:${entry}:00.0`], text: 'für' },
      }),
    )
})
afterAll(() => database.close())

const COLUMNS = ['at', 'cloud', 'actor', 'action', 'subject', 'before', 'after', 'prev_hash', 'hash'] as const

/** Another character at one place of a column of one entry; a moment moves by a millisecond. */
const changeByte = (id: number, offset: number): string => {
  const column = COLUMNS[offset % COLUMNS.length] ?? 'subject'
  if (column === 'at') return `UPDATE audit_entry SET at = at + interval '1 millisecond' WHERE id = ${id}`
  if (column === 'before' || column === 'after')
    return `UPDATE audit_entry SET "${column}" = replace("${column}"::text, 'n', 'm')::jsonb WHERE id = ${id}`
  return `UPDATE audit_entry SET ${column} = overlay(${column} PLACING
    chr(33 + (ascii(substr(${column}, 1 + ${offset} % length(${column}), 1)) - 32) % 90)
    FROM 1 + ${offset} % length(${column}) FOR 1) WHERE id = ${id}`
}

const remove = (id: number): string => `DELETE FROM audit_entry WHERE id = ${id}`

/** Two entries change places, with everything that they hold. */
const move = (id: number, other: number): string =>
  `UPDATE audit_entry SET id = CASE id WHEN ${id} THEN ${other} ELSE ${id} END WHERE id IN (${id}, ${other})`

class Undone extends Error {}

/** What the check reports of the audit after a change with the rights of the database's owner. */
const afterTampering = async (sql: string | null, head: string) => {
  let found = false
  const work = database.transaction(async ({ query }) => {
    await query('ALTER TABLE audit_entry DISABLE TRIGGER ALL')
    await query('ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_pkey')
    if (sql !== null) await query(sql)
    const verdict = await verifyAudit(query)
    // The head is kept elsewhere: without it nothing would show that the last entry is gone.
    found = verdict.broken !== null || verdict.head !== head
    throw new Undone('reverted')
  })
  await expect(work).rejects.toThrow(Undone)
  return found
}

test(`of ${TIMES} times that one byte was changed, an entry removed or two exchanged, each is found`, async () => {
  const random = createRandom(SEED)
  const { head } = await verifyAudit(database.query)
  const [first] = await database.query('SELECT min(id) AS id FROM audit_entry', [], anyRow<{ id: number }>())
  const missed: string[] = []
  for (let turn = 0; turn < TIMES; turn += 1) {
    const id = (first?.id ?? 1) + random.between(0, ENTRIES - 1)
    const other = (first?.id ?? 1) + ((id + random.between(0, ENTRIES - 2)) % ENTRIES)
    const tampering = [changeByte(id, turn), remove(id), move(id, other === id ? id - 1 : other)][turn % 3]
    if (!(await afterTampering(tampering ?? '', head))) missed.push(tampering ?? '')
  }
  expect(missed).toEqual([])
  printFacts('R10', { tampered: TIMES, found: TIMES - missed.length, entries: ENTRIES })
})

test('control: without a change, nothing is found', async () => {
  const { head } = await verifyAudit(database.query)
  expect(await afterTampering(null, head)).toBe(false)
})
