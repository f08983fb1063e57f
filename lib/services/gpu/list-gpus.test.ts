import { expect, test } from 'vitest'
import { addType, writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { listGpus, listGpusEncoded } from './list-gpus'

const world = createServiceWorld()

test('a reader gets the pGPUs of the named cloud and of no other', async () => {
  const [paris, rome] = [await world.newCloud(), await world.newCloud()]
  const a40 = await addType(world.database(), {
    typeId: 'nvidia-560',
    name: 'NVIDIA A40-4Q',
    maxInstance: 12,
    framebufferMib: 4096,
  })
  const pgpu = { address: '0000:41:00.0', ...a40, capacity: 12, used: 9 }
  await writeHost(world.database(), { cloudId: paris.id, name: 'cmp-paris', pgpus: [pgpu] })
  await writeHost(world.database(), { cloudId: rome.id, name: 'cmp-rome', pgpus: [pgpu] })
  const gpus = await listGpus(world.ctx(READER), { cloud: rome.name })
  expect(gpus).toMatchObject({ cloud: rome.name, hosts: ['cmp-rome'], types: [{ shortName: 'A40-4Q' }] })
})

test('without a name it is the first cloud by name', async () => {
  await world.newCloud()
  expect((await listGpus(world.ctx(), {})).cloud).toBe('cloud-1')
  expect((await listGpus(world.ctx(), { cloud: '' })).cloud).toBe('cloud-1')
})

test('an unchanged fleet is encoded once', async () => {
  const { name: cloud } = await world.newCloud()
  const first = await listGpusEncoded(world.ctx(), { cloud })
  expect(await listGpusEncoded(world.ctx(), { cloud })).toBe(first)
})

test('the error for an unknown cloud names it', async () => {
  await expect(listGpus(world.ctx(), { cloud: 'nowhere' })).rejects.toMatchObject({
    code: 'not_found',
    field: 'cloud',
    message: 'There is no cloud named "nowhere". Choose one from the list of clouds.',
  })
})

test('a tenant is refused', async () => {
  await expect(listGpus(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})
