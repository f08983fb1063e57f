import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { claimSecret } from './claim-secret'

const ONE = 'one secret of at least thirty-two characters'.replaceAll(' ', '-')
const TWO = 'two secret of at least thirty-two characters'.replaceAll(' ', '-')
const now = new Date('2026-11-26T12:00:00Z')

let database: Database
let dataDirectory: string
let audited: number
beforeAll(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'paris')
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.query('DELETE FROM console_secret')
  audited = await database.prisma.auditEntry.count()
  dataDirectory = await mkdtemp(join(tmpdir(), 'sliceboard-claim-'))
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

const claim = (secret: string | null) =>
  claimSecret({
    database,
    env: { secret, dataDirectory, databaseUrl: 'postgresql://anna:hunter2@db.example/sliceboard' },
    now,
  })

const actions = async () =>
  (
    await database.query(
      'SELECT action FROM audit_entry ORDER BY id OFFSET $1',
      [audited],
      anyRow<{ action: string }>(),
    )
  ).map(({ action }) => action)

test('the first secret is recorded, and another one is refused with the database and the remedy', async () => {
  expect(await claim(ONE)).toEqual([ONE])
  expect(await claim(ONE)).toEqual([ONE])
  expect(await actions()).toEqual(['console-secret.record'])
  const refusal = claim(TWO)
  await expect(refusal).rejects.toThrow(
    'The database db.example/sliceboard was set up with another secret: SLICEBOARD_SECRET is not the secret of the consoles on this database. Give this console their SLICEBOARD_SECRET. If that secret is lost, stop every console and run "npm run key:replace -- secret", which lists the consequences first.',
  )
  expect(await claim(ONE)).toEqual([ONE])
})

test('a rotated secret takes the place of the one before, which alone is refused from then on', async () => {
  await claim(ONE)
  expect(await claim(`${ONE} ${TWO}`)).toEqual([ONE, TWO])
  expect(await claim(`${TWO} ${ONE}`)).toEqual([TWO, ONE])
  expect(await actions()).toEqual(['console-secret.record', 'console-secret.rotate'])
  await expect(claim(ONE)).rejects.toThrow(/another secret/)
  expect(await claim(TWO)).toEqual([TWO])
})

test('when consoles start concurrently with different secrets, exactly one is accepted', async () => {
  const secrets = Array.from({ length: 6 }, (_, index) => `${index} ${ONE}`.replace(' ', '-'))
  const results = await Promise.allSettled(secrets.map(claim))
  const accepted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value[0]] : []))
  expect(accepted).toHaveLength(1)
  for (const secret of secrets) {
    if (secret === accepted[0]) expect(await claim(secret)).toEqual([secret])
    else await expect(claim(secret)).rejects.toThrow(/another secret/)
  }
})

test('a lost secret file is not silently replaced by a new one', async () => {
  const [created] = await claim(null)
  expect(await claim(null)).toEqual([created])
  await rm(join(dataDirectory, 'session-secret'))
  await expect(claim(null)).rejects.toThrow(/session-secret does not exist/)
  expect(await readdir(dataDirectory)).toEqual([])
})

test('what the database stores is no hash of the bare secret', async () => {
  await claim(ONE)
  const [row] = await database.query(
    'SELECT fingerprint FROM console_secret',
    [],
    anyRow<{ fingerprint: string }>(),
  )
  expect(row?.fingerprint).toMatch(/^scrypt\.[\w-]{22}\.[\w-]{43}$/)
})
