import { expect, test } from 'vitest'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { countChanges } from './count-changes'
import { listChanges } from './list-changes'

const world = createServiceWorld()

const ADD = `
INSERT INTO change (cloud_id, kind, title, input, preview, state, last_action, last_by, last_at, made_by, made_at)
SELECT $1, 'traits', 'change ' || place, '{}', '{"targets": []}', CASE WHEN place = 1 THEN 'running' ELSE 'done' END,
  'plan', 'user:anna', now(), 'user:anna', now() FROM generate_series(1, $2::int) AS place`

test('active changes come first, and the pages have every change once', async () => {
  const cloud = await world.newCloud()
  await world.database().query(ADD, [cloud.id, 301])
  const page = (cursor: string | null, limit = 200) =>
    listChanges(world.ctx(READER), { cloud: cloud.name, limit, cursor })
  const first = await page(null)
  expect(first).toMatchObject({ isCut: true, total: 301, changes: { length: 200 } })
  expect(first.changes.slice(0, 2).map(({ title }) => title)).toEqual(['change 1', 'change 301'])
  const second = await page(first.next)
  expect(second).toMatchObject({ isCut: false, next: null, changes: { length: 101 } })
  expect(new Set([...first.changes, ...second.changes].map(({ id }) => id)).size).toBe(301)
})

test('the navigation counts what is active, from its own cloud alone', async () => {
  const [cloud, other] = [await world.newCloud(), await world.newCloud()]
  const { query } = world.database()
  await query(ADD, [cloud.id, 3])
  await query(`UPDATE change SET state = 'stopped' WHERE cloud_id = $1 AND title = 'change 2'`, [cloud.id])
  const count = (name: string, actor = READER) => countChanges(world.ctx(actor), { cloud: name })
  expect(await count(cloud.name)).toEqual({ cloud: cloud.name, running: 1, stopped: 1 })
  expect(await count(other.name)).toMatchObject({ running: 0, stopped: 0 })
  await expect(count(cloud.name, TENANT)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a tenant sees no changes, and another cloud has its own', async () => {
  const cloud = await world.newCloud()
  expect((await listChanges(world.ctx(READER), { cloud: cloud.name })).changes).toEqual([])
  await expect(listChanges(world.ctx(TENANT), { cloud: cloud.name })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
