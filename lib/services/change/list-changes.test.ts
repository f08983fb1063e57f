import { expect, test } from 'vitest'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { countChanges } from './count-changes'
import { listChanges } from './list-changes'

const world = createServiceWorld()

const ADD = `
INSERT INTO change (cloud_id, kind, title, input, preview, state, last_action, last_by, last_at, made_by, made_at)
SELECT $1, 'traits', 'change ' || place, '{}', '{"targets": []}', CASE WHEN place = 1 THEN 'running' ELSE 'done' END,
  'plan', 'user:anna', now(), 'user:anna', now() FROM generate_series(1, $2::int) AS place`

test('those in hand come first, and where older ones are left out the list says so', async () => {
  const cloud = await world.newCloud()
  await world.database().query(ADD, [cloud.id, 300])
  const all = await listChanges(world.ctx(READER), { cloud: cloud.name })
  expect(all).toMatchObject({ isCut: false, changes: { length: 300 } })
  expect(all.changes.slice(0, 2).map(({ title }) => title)).toEqual(['change 1', 'change 300'])
  await world.database().query(ADD, [cloud.id, 1])
  const cut = await listChanges(world.ctx(READER), { cloud: cloud.name })
  expect(cut).toMatchObject({ isCut: true, changes: { length: 300 } })
  expect(cut.changes.map(({ title }) => title)).not.toContain('change 2')
})

test('the navigation counts what is in hand, of its own cloud alone', async () => {
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
