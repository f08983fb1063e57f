import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { gpuDetailSchema } from '@/lib/schemas/api/gpu'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { getGpu } from './get-gpu'

const world = createServiceWorld()

const inventoryNamed = (name: string) => {
  const inventory = t4SeedHost()
  return { ...inventory, host: { ...inventory.host, name } }
}

const t4Cloud = async (seenAt = secondsAgo(12)) => {
  const cloud = await world.newCloud()
  await storeReport(world.database(), { cloudId: cloud.id, inventory: inventoryNamed('cmp-t4'), seenAt })
  return cloud
}

test('a pGPU comes with its type, numbers, mdev, guest and raw facts', async () => {
  const cloud = await t4Cloud()
  const gpu = await getGpu(world.ctx(READER), { cloud: cloud.name, host: 'cmp-t4', address: '0000:f4:00.0' })
  expect(gpuDetailSchema.parse(gpu)).toEqual(gpu)
  expect(gpu).toMatchObject({
    cloud: cloud.name,
    host: 'cmp-t4',
    seenAt: secondsAgo(12).toISOString(),
    isSilent: false,
    model: 'NVIDIA Tesla T4',
    framework: 'mdev',
    driverVersion: inventoryNamed('cmp-t4').host.nvidiaDriverVersion,
    currentType: { shortName: 'T4-16C' },
    numbers: { capacity: { value: 1 }, used: { value: 1 } },
    mdevs: [{ typeName: 'GRID T4-16C', state: 'used', occupant: { guestName: 'instance-00000004' } }],
  })
  expect(gpu.supportedTypes).toHaveLength(17)
  expect(gpu.rawFacts.length).toBeGreaterThan(0)
})

test('the text for a full vendor-VFIO card uses what other hosts have reported of its type', async () => {
  const cloud = await world.newCloud()
  const inventory = vendorVfioHost()
  for (const vf of inventory.gpus[0]?.virtualFunctions ?? [])
    vf.vendorVfio = { currentType: (vf.vendorVfio?.currentType ?? 0) > 0 ? 9301 : 0, creatable: [] }
  const { database } = world
  await database().prisma.vgpuType.create({
    data: { hash: 'nvidia-9301 named', typeId: 'nvidia-9301', name: 'NVIDIA L40S-16Q' },
  })
  await storeReport(database(), { cloudId: cloud.id, inventory })
  const scope = { cloud: cloud.name, host: inventory.host.name, address: '0000:c8:00.0' }
  const gpu = await getGpu(world.ctx(), scope)
  expect(gpuDetailSchema.parse(gpu)).toEqual(gpu)
  expect(gpu.supportedTypes).toMatchObject([
    { typeId: 'nvidia-9301', name: null, shortName: 'L40S-16Q', isFromStore: true },
  ])
})

test('a host name in capitals and the address as nvidia-smi prints it lead to the same pGPU', async () => {
  const { name: cloud } = await t4Cloud()
  const gpu = await getGpu(world.ctx(), { cloud, host: 'CMP-T4', address: '00000000:F4:00.0' })
  expect([gpu.host, gpu.address]).toEqual(['cmp-t4', '0000:f4:00.0'])
})

test('a host without a word for two minutes is silent', async () => {
  const { name: cloud } = await t4Cloud(secondsAgo(121))
  expect((await getGpu(world.ctx(), { cloud, host: 'cmp-t4', address: '0000:f4:00.0' })).isSilent).toBe(true)
})

test('a new report replaces what was described before', async () => {
  const cloud = await t4Cloud()
  const ask = () => getGpu(world.ctx(), { cloud: cloud.name, host: 'cmp-t4', address: '0000:f4:00.0' })
  expect((await ask()).mdevs).toHaveLength(1)
  const inventory = { ...inventoryNamed('cmp-t4'), mdevs: [], guests: [] }
  await storeReport(world.database(), { cloudId: cloud.id, inventory })
  expect((await ask()).mdevs).toEqual([])
})

test('an address that the host does not have names those that it has', async () => {
  const { name: cloud } = await t4Cloud()
  const answer = getGpu(world.ctx(), { cloud, host: 'cmp-t4', address: '0000:01:00.0' })
  await expect(answer).rejects.toMatchObject({
    code: 'not_found',
    field: 'address',
    message: expect.stringContaining('0000:18:00.0, 0000:19:00.0'),
  })
})

test('a host of another cloud is not found', async () => {
  await t4Cloud()
  const other = await world.newCloud()
  const answer = getGpu(world.ctx(), { cloud: other.name, host: 'cmp-t4', address: '0000:f4:00.0' })
  await expect(answer).rejects.toMatchObject({
    code: 'not_found',
    field: 'host',
    message: `Cloud "${other.name}" has no host named "cmp-t4". Check the name, or add the host under Settings, Agents.`,
  })
})

test('an enrolled host without a report is listed as such', async () => {
  const cloud = await world.newCloud()
  await writeHost(world.database(), { cloudId: cloud.id, name: 'cmp-new', pgpus: [], seenAt: null })
  const answer = getGpu(world.ctx(), { cloud: cloud.name, host: 'cmp-new', address: '0000:f4:00.0' })
  await expect(answer).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('is enrolled but has not reported yet'),
  })
})

test.each([
  ['of an older contract', gzipSync(JSON.stringify({ contractVersion: 0 }))],
  ['that is no gzip', Buffer.from('not gzip')],
  ['that unpacks to more than a report may hold', gzipSync(Buffer.alloc(9_000_000, 32))],
])('a stored body %s is one clear problem', async (_name, body) => {
  const cloud = await world.newCloud()
  const inventory = inventoryNamed('cmp-old')
  await storeReport(world.database(), { cloudId: cloud.id, inventory, body })
  const answer = getGpu(world.ctx(), { cloud: cloud.name, host: 'cmp-old', address: '0000:f4:00.0' })
  await expect(answer).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('has a form that this console does not know'),
  })
})

test('a tenant and an agent are refused before anything is looked up', async () => {
  const answer = { cloud: 'no such cloud', host: 'cmp-t4', address: '0000:f4:00.0' }
  const agent = {
    kind: 'agent',
    credentialId: 1,
    cloudId: 1,
    hostId: 1,
    hostName: 'cmp-t4',
    enrolment: 1,
  } as const
  await expect(getGpu(world.ctx(TENANT), answer)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getGpu(world.ctx(agent), answer)).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([
  [{ host: 'a b', address: '0000:f4:00.0' }, 'host'],
  [{ host: 'cmp-t4', address: ' ' }, 'address'],
])('%o is refused by its field', async (params, field) => {
  const { name: cloud } = await t4Cloud()
  await expect(getGpu(world.ctx(), { cloud, ...params })).rejects.toMatchObject({ code: 'validation', field })
})
