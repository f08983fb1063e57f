import { expect, test } from 'vitest'
import { firstGpus, type GpuListing } from '@/lib/domain/gpu-list/first-gpus'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, TENANT } from '@/lib/services/testing/service-world'
import { getFirstGpus } from './get-first-gpus'
import { listGpus } from './list-gpus'

const world = createServiceWorld()

const LISTING: GpuListing = {
  filter: { text: '', models: [], types: [], frameworks: [], aggregates: [], finding: null, holding: null },
  grouping: 'model',
  sort: { column: 'address', isDescending: true },
}
const freshness = { silentHosts: [{ host: 'cmp-1', seenAt: null }] }

test('the first lines are made of what the list itself holds', async () => {
  const { id: cloudId, name: cloud } = await world.newCloud()
  const pgpus = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ address: `0000:${(n + 16).toString(16)}:00.0` }))
  await writeHost(world.database(), { cloudId, name: 'cmp-1', pgpus: pgpus(4) })
  await writeHost(world.database(), { cloudId, name: 'cmp-2', pgpus: pgpus(60) })
  const first = await getFirstGpus(world.ctx(), { cloud }, { listing: LISTING, freshness })
  const whole = createGpuStore(await listGpus(world.ctx(), { cloud }))
  expect(first).toEqual(firstGpus(whole, LISTING, { silentHosts: new Map([['cmp-1', null]]) }))
  expect(first).toMatchObject({ count: 64, sums: { silent: 4 } })
})

test('a tenant is refused', async () => {
  await expect(getFirstGpus(world.ctx(TENANT), {}, { listing: LISTING, freshness })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
