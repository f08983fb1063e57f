import { expect, test } from 'vitest'
import { a40Host, t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { hostCellsSchema } from '@/lib/schemas/api/gpu'
import { hostDetailSchema } from '@/lib/schemas/api/host'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { getHost } from './get-host'
import { getHostCells } from './get-host-cells'

const world = createServiceWorld()

const storeIn = async (inventory: Inventory, name: string) => {
  const cloud = await world.newCloud()
  const named = { ...inventory, host: { ...inventory.host, name } }
  await storeReport(world.database(), { cloudId: cloud.id, inventory: named, seenAt: secondsAgo(5) })
  return { cloud: cloud.name, host: name }
}

test('a host comes with its pGPUs, guests, versions and nova.conf', async () => {
  const hostScope = await storeIn(t4SeedHost(), 'cmp-t4')
  const host = await getHost(world.ctx(READER), hostScope)
  expect(hostDetailSchema.parse(host)).toEqual(host)
  expect(host).toMatchObject({
    name: 'cmp-t4',
    seenAt: secondsAgo(5).toISOString(),
    isSilent: false,
    agentVersion: '0.1.0',
    guests: [{ guestName: 'instance-00000004', gpus: ['0000:f4:00.0'] }],
    novaConfig: { options: [{ name: 'enabled_vgpu_types', value: 'nvidia-321' }] },
  })
  expect(host.pgpus).toHaveLength(8)
})

test('problems are in the order of the report', async () => {
  const problems = [
    { source: '/etc/libvirt/qemu/b.xml', code: 'malformed', message: 'no end tag' },
    { source: '/etc/libvirt/qemu/a.xml', code: 'permission', message: 'not allowed' },
  ] as const
  const hostScope = await storeIn({ ...t4SeedHost(), problems: [...problems] }, 'cmp-trouble')
  expect((await getHost(world.ctx(), hostScope)).problems).toEqual(problems)
})

test('what could not be read is null, not empty', async () => {
  const hostScope = await storeIn({ ...t4SeedHost(), guests: null, novaConfig: null }, 'cmp-dark')
  expect(await getHost(world.ctx(), hostScope)).toMatchObject({ guests: null, novaConfig: null })
})

test('the cells of a host name who sits in them', async () => {
  const hostScope = await storeIn(t4SeedHost(), 'cmp-t4')
  const cells = await getHostCells(world.ctx(READER), hostScope)
  expect(hostCellsSchema.parse(cells)).toEqual(cells)
  const full = cells.pgpus.find((pgpu) => pgpu.address === '0000:f4:00.0')
  expect(full?.cells).toMatchObject([{ kind: 'used', occupant: { guestName: 'instance-00000004' } }])
})

test('an A40 on which 12 fit has 12 cells, not one for each VF', async () => {
  const cells = await getHostCells(world.ctx(), await storeIn(a40Host(), 'cmp-a40'))
  expect(cells.pgpus[0]?.cells).toHaveLength(12)
})

test('a host of another cloud is not found, a silent newcomer has its own text', async () => {
  const { host } = await storeIn(t4SeedHost(), 'cmp-t4')
  const other = await world.newCloud()
  await writeHost(world.database(), { cloudId: other.id, name: 'cmp-new', pgpus: [], seenAt: null })
  for (const ask of [getHost, getHostCells]) {
    await expect(ask(world.ctx(), { cloud: other.name, host })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`has no host named "${host}"`),
    })
    await expect(ask(world.ctx(), { cloud: other.name, host: 'cmp-new' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('has not reported yet'),
    })
  }
})

test('a tenant is refused', async () => {
  for (const ask of [getHost, getHostCells])
    await expect(ask(world.ctx(TENANT), { host: 'cmp-t4' })).rejects.toMatchObject({ code: 'forbidden' })
})
