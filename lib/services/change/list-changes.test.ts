import { expect, test } from 'vitest'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
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

test('a tenant sees no changes, and another cloud has its own', async () => {
  const cloud = await world.newCloud()
  expect((await listChanges(world.ctx(READER), { cloud: cloud.name })).changes).toEqual([])
  await expect(listChanges(world.ctx(TENANT), { cloud: cloud.name })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
