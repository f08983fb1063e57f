import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import {
  clientNetwork,
  forgetFullAllowances,
  giveBackSignIn,
  overdrawSignIn,
  ownerNetwork,
  SIGN_IN_ALLOWANCES,
  takeSignIn,
} from './sign-in-guard'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const START = Date.parse('2026-11-21T14:00:00Z')
const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES.pair
const take = (what: string, seconds = 0) =>
  takeSignIn(database.query, { kind: 'pair', what, now: new Date(START + seconds * 1000) })

const takeAll = async (what: string) => {
  const waits: number[] = []
  for (let one = 0; one < burst; one += 1) waits.push(await take(what))
  return waits
}

test('so many come at once, the next one waits', async () => {
  expect(await takeAll('anna')).toEqual(Array(burst).fill(0))
  expect(await take('anna')).toBe(pauseSeconds)
  expect(await take('anna', pauseSeconds - 5)).toBe(5)
  expect(await take('anna', pauseSeconds)).toBe(0)
  expect(await take('anna', pauseSeconds)).toBe(pauseSeconds)
})

test('waiting attempts do not make the wait longer', async () => {
  await takeAll('bert')
  for (const seconds of [1, 2, 3]) await take('bert', seconds)
  expect(await take('bert', pauseSeconds)).toBe(0)
})

test('after a long rest there are as many as before and not more', async () => {
  await takeAll('carl')
  for (let one = 0; one < burst; one += 1) expect(await take('carl', 86_400)).toBe(0)
  expect(await take('carl', 86_400)).toBe(pauseSeconds)
})

test('one that is given back can be taken again, and another name has its own', async () => {
  await takeAll('dora')
  await giveBackSignIn(database.query, { kind: 'pair', what: 'dora', now: new Date(START) })
  expect(await take('dora')).toBe(0)
  expect(await take('dora')).toBe(pauseSeconds)
  expect(await take('emil')).toBe(0)
})

test('names are not stored, and full allowances are forgotten', async () => {
  await take('hunter2')
  const rows = await database.query('SELECT key FROM sign_in_allowance', [], anyRow<{ key: string }>())
  expect(JSON.stringify(rows)).not.toContain('hunter2')
  await forgetFullAllowances(database.query, new Date(START + 10 * 86_400_000))
  expect(await database.query('SELECT 1 FROM sign_in_allowance')).toEqual([])
})

test('parallel attempts never get more than there are', async () => {
  const waits = await Promise.all(Array.from({ length: burst * 2 }, () => take('fritz')))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(burst)
})

test('an overdrawn allowance is full again two hours later than a used one, however much was taken', async () => {
  await takeAll('gerd')
  for (let one = 0; one < 500; one += 1)
    await overdrawSignIn(database.query, { kind: 'pair', what: 'gerd', now: new Date(START) })
  expect(await take('gerd', 7200)).toBeGreaterThan(0)
  expect(await take('gerd', 7200 + pauseSeconds)).toBe(0)
})

test.each([
  ['10.1.2.3', '10.1.2.3', '10.1.2'],
  ['2001:db8:0:7::1', '2001:db8:0:7', '2001:db8:0'],
  ['2001:DB8::7:a:b:c:d', '2001:db8:0:7', '2001:db8:0'],
  ['2001:db8:0:0007:1:2:3:4', '2001:db8:0:7', '2001:db8:0'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0'],
  ['::1', '0:0:0:0', '0:0:0'],
  ['unknown', 'unknown', 'unknown'],
])('%s is of the client %s and the owner %s', (address, client, owner) => {
  expect([clientNetwork(address), ownerNetwork(address)]).toEqual([client, owner])
})
