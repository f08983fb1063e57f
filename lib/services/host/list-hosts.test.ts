import { expect, test } from 'vitest'
import { hostListSchema } from '@/lib/schemas/api/host'
import type { Actor } from '@/lib/server/context/service-context'
import { countingDatabase } from '@/lib/services/testing/counting-database'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { listHosts, listHostsEncoded } from './list-hosts'

const world = createServiceWorld()

test('hosts come by name with their models, sums, age and silence', async () => {
  const cloud = await world.newCloud()
  const database = world.database()
  const pgpu = { model: 'Tesla T4', capacity: 4, used: 3 }
  await writeHost(database, {
    cloudId: cloud.id,
    name: 'cmp-2',
    seenAt: secondsAgo(12),
    guestCount: 5,
    problemCount: 1,
    pgpus: [
      { ...pgpu, address: '0000:18:00.0' },
      { ...pgpu, address: '0000:19:00.0', model: 'NVIDIA A40' },
      { address: '0000:20:00.0', model: 'NVIDIA A40', used: 0 },
      { address: '0000:21:00.0', model: 'NVIDIA A40', framework: 'passthrough', capacity: 1, used: 1 },
    ],
  })
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-1', pgpus: [], seenAt: secondsAgo(3600) })
  await writeHost(database, { cloudId: cloud.id, name: 'cmp-3', pgpus: [], seenAt: null })
  const list = await listHosts(world.ctx(READER), { cloud: cloud.name })
  expect(hostListSchema.parse(list)).toEqual(list)
  expect(list).toMatchObject({
    cloud: cloud.name,
    hosts: [
      {
        name: 'cmp-1',
        gpuCount: 0,
        models: [],
        capacity: 0,
        used: 0,
        isSilent: true,
        guestCount: null,
      },
      {
        name: 'cmp-2',
        gpuCount: 4,
        models: ['NVIDIA A40', 'Tesla T4'],
        capacity: 8,
        used: 6,
        unknownReason: expect.any(String),
        passthrough: { capacity: 1, used: 1 },
        wholeCards: 1,
        guestCount: 5,
        problemCount: 1,
        seenAt: secondsAgo(12).toISOString(),
        isSilent: false,
      },
      { name: 'cmp-3', seenAt: null, isSilent: true },
    ],
  })
})

test('a heartbeat shows although no pGPU changed', async () => {
  const cloud = await world.newCloud()
  const host = { cloudId: cloud.id, name: 'cmp-1', pgpus: [{ address: '0000:18:00.0' }] }
  await writeHost(world.database(), { ...host, seenAt: secondsAgo(500) })
  await listHosts(world.ctx(), { cloud: cloud.name })
  await world.database().query('UPDATE host SET seen_at = $2 WHERE cloud_id = $1', [cloud.id, secondsAgo(1)])
  const { hosts } = await listHosts(world.ctx(), { cloud: cloud.name })
  expect(hosts[0]).toMatchObject({ seenAt: secondsAgo(1).toISOString(), isSilent: false })
})

test('an unchanged list is encoded once for all permitted callers, and costs one check of the hosts', async () => {
  const { name: cloud, id: cloudId } = await world.newCloud()
  await writeHost(world.database(), { cloudId, name: 'cmp-1', pgpus: [], seenAt: secondsAgo(5) })
  const { database, statements } = countingDatabase(world.database(), 'xmin::text')
  const ask = (actor: Actor) => listHostsEncoded({ ...world.ctx(actor), database }, { cloud })
  const first = await ask(READER)
  statements.length = 0
  const [one, other, refused] = await Promise.allSettled([ask(READER), ask(READER), ask(TENANT)])
  expect([one, other].map((answer) => answer.status === 'fulfilled' && answer.value === first)).toEqual([
    true,
    true,
  ])
  expect(refused).toMatchObject({ reason: { code: 'forbidden' } })
  expect(statements.map((sql) => sql.includes('json_agg'))).toEqual([false])
})

test('hosts of another cloud do not show, and an empty cloud has an empty list', async () => {
  const [full, empty] = [await world.newCloud(), await world.newCloud()]
  await writeHost(world.database(), { cloudId: full.id, name: 'cmp-1', pgpus: [] })
  expect((await listHosts(world.ctx(), { cloud: empty.name })).hosts).toEqual([])
})

test('a tenant is refused', async () => {
  await expect(listHosts(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})
