import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLease } from '@/lib/server/background/lease'
import type { Database } from '@/lib/server/database/database'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { claimSecret } from '@/lib/server/session/claim-secret'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { planSecretReplacement } from './replace-secret'
import { planSigningKeyReplacement } from './replace-signing-key'

const OLD = 'o'.repeat(40)
const NEW = 'n'.repeat(40)
const now = () => new Date('2026-11-26T12:00:00Z')

let database: Database
let dataDirectory: string
let cloudId: number
beforeAll(async () => {
  database = await createTestDatabase()
  dataDirectory = await mkdtemp(join(tmpdir(), 'sliceboard-replace-'))
  cloudId = await addCloud(database, 'paris')
})
afterAll(async () => {
  await database.close()
  await rm(dataDirectory, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const table of ['console_secret', 'command_key', 'lease']) await database.query(`DELETE FROM ${table}`)
})

const inputWith = (secret: string) => ({ database, env: { secret, dataDirectory, databaseUrl: null }, now })
const keyWith = (secret: string) =>
  createCommandSigner({ database, box: createSecretBox([secret]), now }).publicKeyOf(cloudId)
const lastActions = async (count: number) =>
  (
    await database.query(
      'SELECT action FROM audit_entry ORDER BY id DESC LIMIT $1',
      [count],
      anyRow<{ action: string }>(),
    )
  ).map(({ action }) => action)

test('a lost secret is replaced with the keys that it encrypted, after the consequences were listed', async () => {
  await claimSecret({ ...inputWith(OLD), now: now() })
  const key = await keyWith(OLD)
  const plan = await planSecretReplacement(inputWith(NEW))
  expect(plan.consequences.join(' ')).toMatch(/Sessions that will end: 0.*new signing key: paris/)
  // Nothing happens before it is confirmed.
  await claimSecret({ ...inputWith(OLD), now: now() })
  await plan.apply?.()
  await expect(claimSecret({ ...inputWith(OLD), now: now() })).rejects.toThrow(/another secret/)
  await claimSecret({ ...inputWith(NEW), now: now() })
  expect(await keyWith(NEW)).not.toBe(key)
  expect(await lastActions(2)).toEqual(['command-key.replace', 'console-secret.replace'])
  expect(await planSecretReplacement(inputWith(NEW))).toMatchObject({ apply: null })
})

test('nothing is replaced while a console runs', async () => {
  await claimSecret({ ...inputWith(OLD), now: now() })
  const log = pino({ level: 'silent' })
  await createLease({ database, log, name: 'run changes', forMs: 60_000 }).hold()
  await expect(planSecretReplacement(inputWith(NEW))).rejects.toThrow(/stop every console first/)
})

test('a signing key is replaced with the right secret alone, and only in the named cloud', async () => {
  await claimSecret({ ...inputWith(OLD), now: now() })
  const key = await keyWith(OLD)
  await expect(planSigningKeyReplacement(inputWith(NEW), { cloud: null })).rejects.toThrow(/another secret/)
  await expect(planSigningKeyReplacement(inputWith(OLD), { cloud: 'rome' })).rejects.toThrow(
    'There is no cloud named "rome". The database has: paris.',
  )
  const plan = await planSigningKeyReplacement(inputWith(OLD), { cloud: 'paris' })
  expect(plan.consequences).toEqual([
    'paris: 0 enrolled hosts will refuse commands until enrolled again with a join token; reports continue.',
  ])
  expect(await keyWith(OLD)).toBe(key)
  await plan.apply?.()
  expect(await keyWith(OLD)).not.toBe(key)
  expect(await lastActions(1)).toEqual(['command-key.replace'])
})
