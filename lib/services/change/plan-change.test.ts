import { beforeAll, expect, test } from 'vitest'
import { buildGuest, uuidOf } from '@/lib/domain/testing/build-inventory'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { gpuFilterSchema } from '@/lib/schemas/api/gpu-filter'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { filteredGpus } from './plan-change'

const world = createServiceWorld()
let cloud: Awaited<ReturnType<typeof world.newCloud>>

const nova = {
  ...{ serverName: 'train-07', flavorName: 'vgpu.t4', projectId: 'f00d'.repeat(8), projectName: 'vision' },
  ...{ userId: null, userName: null },
}

beforeAll(async () => {
  cloud = await world.newCloud()
  const inventory = t4SeedHost()
  const guests = (inventory.guests ?? []).map((guest) => ({ ...guest, nova }))
  const named = { ...inventory, host: { ...inventory.host, name: 'cmp-t4' } }
  const guest = buildGuest({ uuid: uuidOf(9), name: 'instance-9', nova })
  await storeReport(world.database(), {
    cloudId: cloud.id,
    inventory: { ...named, guests: guests.length > 0 ? guests : [guest] },
  })
  await writeHost(world.database(), {
    cloudId: cloud.id,
    name: 'cmp-a40',
    pgpus: [{ address: '0000:65:00.0', model: 'NVIDIA A40' }],
  })
})

const found = async (filter: object) =>
  filteredGpus(world.ctx(), { region: null, ...cloud }, gpuFilterSchema.parse(filter))

test('a filter gives the GPUs that the list shows with it', async () => {
  expect(await found({ model: ['NVIDIA A40'] })).toEqual([{ host: 'cmp-a40', address: '0000:65:00.0' }])
  const ofHost = await found({ q: 'cmp-t4' })
  expect(ofHost.length).toBeGreaterThan(1)
  expect(new Set(ofHost.map(({ host }) => host))).toEqual(new Set(['cmp-t4']))
  expect(await found({})).toHaveLength(ofHost.length + 1)
  expect(await found({ model: ['NVIDIA H100'] })).toEqual([])
})

test('the name of a server gives the GPUs that it uses', async () => {
  const used = await found({ q: 'train-07' })
  expect(used.length).toBeGreaterThan(0)
  expect(used.every(({ host }) => host === 'cmp-t4')).toBe(true)
})
