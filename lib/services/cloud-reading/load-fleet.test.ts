import { expect, test } from 'vitest'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { factsOfCloud, loadCloudFacts } from './facts-of-cloud'
import { loadFleet } from './load-fleet'

const world = createReadWorld({ hostCount: 6 })
const load = async () => {
  const ctx = world.at()
  return loadFleet(ctx, await findCloud(ctx, { cloud: world.cloudName() }))
}

test('requests share one fleet until a round, a report or half a minute renews it', async () => {
  await world.reading().readRound()
  const [first, second] = await Promise.all([load(), load()])
  expect(first).toBeDefined()
  expect(second).toBe(first)
  expect(await load()).toBe(first)
  await world.reading().readRound()
  const ofRound = await load()
  expect(ofRound).not.toBe(first)
  world.pass(30_000)
  const later = await load()
  expect(later).not.toBe(ofRound)
  await world
    .database()
    .query("UPDATE host SET seen_at = seen_at - interval '1 day' WHERE name = $1", [
      first?.hosts[0]?.host.name,
    ])
  const silent = await load()
  expect(silent).not.toBe(later)
  expect(silent?.hosts[0]?.host.isSilent).toBe(true)
})

test('the facts that a round keeps are those of the database', async () => {
  await world.reading().readRound()
  const ctx = world.at()
  const cloud = { ...(await findCloud(ctx, { cloud: world.cloudName() })), region: 'RegionOne' }
  const stored = await factsOfCloud(ctx, cloud)
  expect(stored).toEqual(await loadCloudFacts(ctx.database.query, { cloud, now: ctx.now() }))
})
