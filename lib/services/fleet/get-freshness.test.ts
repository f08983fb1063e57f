import { expect, test } from 'vitest'
import { freshnessSchema } from '@/lib/schemas/api/fleet'
import type { Actor } from '@/lib/server/context/service-context'
import { countingDatabase } from '@/lib/services/testing/counting-database'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, NOW, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { getFreshness } from './get-freshness'

const world = createServiceWorld()

const cloudWith = async (lastReports: (Date | null)[]) => {
  const cloud = await world.newCloud()
  for (const [index, seenAt] of lastReports.entries())
    await writeHost(world.database(), { cloudId: cloud.id, name: `cmp-${index + 1}`, pgpus: [], seenAt })
  return cloud.name
}

test('a reporting fleet shows the age of its newest report', async () => {
  const cloud = await cloudWith([secondsAgo(4), secondsAgo(119), secondsAgo(30)])
  const freshness = await getFreshness(world.ctx(READER), { cloud })
  expect(freshnessSchema.parse(freshness)).toEqual({
    cloud,
    now: NOW.toISOString(),
    asOf: expect.any(String),
    newestSeenAt: secondsAgo(4).toISOString(),
    hostCount: 3,
    silentAfterSeconds: 120,
    silentHosts: [],
    isFleetSilent: false,
    fleetSilentSince: null,
  })
})

test('a silent host and one that never reported are listed with their last report', async () => {
  const cloud = await cloudWith([secondsAgo(4), secondsAgo(121), null, secondsAgo(9)])
  expect(await getFreshness(world.ctx(), { cloud })).toMatchObject({
    silentHosts: [
      { host: 'cmp-2', seenAt: secondsAgo(121).toISOString() },
      { host: 'cmp-3', seenAt: null },
    ],
    isFleetSilent: false,
  })
})

test('if most hosts go silent at once, the fleet is silent', async () => {
  const cloud = await cloudWith([secondsAgo(4), secondsAgo(300), secondsAgo(310), secondsAgo(305)])
  expect(await getFreshness(world.ctx(), { cloud })).toMatchObject({
    isFleetSilent: true,
    fleetSilentSince: secondsAgo(300).toISOString(),
  })
})

test('a cloud without hosts has no newest report', async () => {
  const cloud = await cloudWith([])
  expect(await getFreshness(world.ctx(), { cloud })).toMatchObject({
    newestSeenAt: null,
    hostCount: 0,
    silentHosts: [],
  })
})

test('a tenant is refused, an unknown cloud is not found', async () => {
  await expect(getFreshness(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getFreshness(world.ctx(), { cloud: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

test('concurrent requests share one check of the hosts, and only callers with permission get an answer', async () => {
  const cloud = await cloudWith([secondsAgo(4)])
  const { database, statements } = countingDatabase(world.database(), '"newestSeenAt"')
  const ask = (actor: Actor) => getFreshness({ ...world.ctx(actor), database }, { cloud })
  const answers = await Promise.allSettled([ask(READER), ask(TENANT), ask(READER)])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(statements).toHaveLength(1)
})
