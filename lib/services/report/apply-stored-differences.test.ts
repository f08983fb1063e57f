import { gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database } from '@/lib/server/database/database'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { applyStoredDifferences } from './apply-stored-differences'
import { loadStoredInventories, readStoredInventory } from './read-stored-inventory'
import { enrolledActor } from './testing/direct-ingest'
import { reportText } from './testing/sent-report'

let database: Database
let cloudId: number

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})
afterAll(() => database.close())

const log = pino({ level: 'silent' })
const base = t4SeedHost()
const text = (inventory: Inventory): string => {
  const json = reportText(inventory)
  return json.slice(json.indexOf('"inventory":') + 12, -1)
}

/** One edit, as the release before stores it: the whole text between what both have at their start and end. */
const edit = (before: Inventory, after: Inventory): Buffer => {
  const [a, b] = [Buffer.from(text(before)), Buffer.from(text(after))]
  let start = 0
  while (a[start] === b[start]) start += 1
  let end = 0
  while (a[a.length - end - 1] === b[b.length - end - 1]) end += 1
  const inserted = b.subarray(start, b.length - end).toString()
  return Buffer.from(JSON.stringify([[start, a.length - end - start, inserted]]))
}

const named = (osName: string): Inventory => ({ ...base, host: { ...base.host, osName } })
const [first, second, third] = [named('the first'), named('the second ü'), { ...named('x'), guests: [] }]

/** A host as the release before leaves it: a report of version 7, two differences to it, and one left over of an earlier chain. */
const storeChain = async (name: string, body: Buffer) => {
  const { hostId } = await enrolledActor(database, cloudId, name)
  await database.query('UPDATE host SET applied_reports = 9 WHERE id = $1', [hostId])
  await database.query('INSERT INTO host_inventory (host_id, body, version) VALUES ($1, $2, 7)', [
    hostId,
    body,
  ])
  for (const [index, edits] of [edit(first, second), edit(second, third), edit(first, third)].entries())
    await database.query('INSERT INTO host_difference (host_id, place, edits) VALUES ($1, $2, $3)', [
      hostId,
      index,
      edits,
    ])
  return hostId
}

test('differences that the release before stored become part of the stored report, once', async () => {
  const hostId = await storeChain('cmp-01', gzipSync(reportText(first)))
  await applyStoredDifferences({ database, log })
  const [stored] = await loadStoredInventories(database.query, [hostId])
  if (stored === undefined) throw new Error('a report is stored')
  expect(await readStoredInventory(stored)).toEqual(third)
  expect(await database.query('SELECT 1 FROM host_difference')).toEqual([])
  await applyStoredDifferences({ database, log })
  expect(await loadStoredInventories(database.query, [hostId])).toEqual([stored])
})

test('a report that is not readable stays as it is, and the console starts', async () => {
  const body = gzipSync('not JSON').subarray(0, 20)
  const hostId = await storeChain('cmp-02', body)
  const good = await storeChain('cmp-03', gzipSync(reportText(first)))
  await applyStoredDifferences({ database, log })
  const stored = await loadStoredInventories(database.query, [hostId, good])
  const bodies = new Map(stored.map((one) => [one.hostId, Buffer.from(one.body)]))
  expect(bodies.get(hostId)).toEqual(body)
  expect(gunzipSync(bodies.get(good) ?? '').toString()).toContain('"osName":"x"')
  expect(await database.query('SELECT 1 FROM host_difference')).toEqual([])
})
