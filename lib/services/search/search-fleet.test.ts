import { beforeAll, expect, test } from 'vitest'
import { buildGuest, uuidOf } from '@/lib/domain/testing/build-inventory'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { searchResultsSchema } from '@/lib/schemas/api/search-results'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { searchFleet } from './search-fleet'

const world = createServiceWorld()
let cloud: string

const nova = (serverName: string, projectName: string) => ({
  serverName,
  flavorName: 'vgpu.t4',
  projectId: 'f00d'.repeat(8),
  projectName,
  userId: null,
  userName: null,
})

beforeAll(async () => {
  const made = await world.newCloud()
  cloud = made.name
  const inventory = t4SeedHost()
  const guests = [
    buildGuest({ uuid: uuidOf(1), name: 'instance-00000001', nova: nova('Train-100', 'vision') }),
    buildGuest({ uuid: uuidOf(2), name: 'instance-00000002', nova: nova('train-10', 'vision') }),
    buildGuest({ uuid: uuidOf(3), name: 'instance-00000003', nova: nova('100%_done', 'render') }),
    buildGuest({ uuid: uuidOf(4), name: 'instance-00000004' }),
  ]
  const named = { ...inventory, guests, host: { ...inventory.host, name: 'cmp-r2-07' } }
  await storeReport(world.database(), { cloudId: made.id, inventory: named })
  for (let host = 1; host <= 30; host++)
    await writeHost(world.database(), {
      cloudId: made.id,
      name: `far-${String(host).padStart(2, '0')}`,
      pgpus: [{ address: '0000:65:00.0', model: 'NVIDIA A40' }],
    })
})

const search = (text: string) => searchFleet(world.ctx(READER), { cloud, text })

test('part of a host name finds the host, the exact name first', async () => {
  const found = await search('CMP-R2')
  expect(searchResultsSchema.parse(found)).toEqual(found)
  expect(found.hosts).toEqual(['cmp-r2-07'])
  expect((await search('far-3')).hosts).toEqual(['far-30'])
})

test('part of an address finds pGPUs, together with a host name only those of that host', async () => {
  expect((await search('F4:00')).gpus).toEqual([
    { host: 'cmp-r2-07', address: '0000:f4:00.0', model: 'NVIDIA Tesla T4' },
  ])
  expect((await search('far-07 65:')).gpus).toEqual([
    { host: 'far-07', address: '0000:65:00.0', model: 'NVIDIA A40' },
  ])
  expect((await search('00000000:E7:00.0')).gpus).toHaveLength(1)
})

test('at most 20 of each kind come back', async () => {
  expect((await search('far-')).hosts).toHaveLength(20)
  expect((await search('65:00')).gpus).toHaveLength(20)
})

test('servers are found by name in any case, the exact one first, by guest name and by project', async () => {
  const names = async (text: string) =>
    (await search(text)).guests.map((guest) => guest.serverName ?? guest.name)
  expect(await names('train-10')).toEqual(['train-10', 'Train-100'])
  expect(await names('instance-00000004')).toEqual(['instance-00000004'])
  expect(await names('render')).toEqual(['100%_done'])
  expect(await names('f00d'.repeat(8))).toHaveLength(3)
})

test('a whole uuid is found with and without dashes', async () => {
  const guest = { uuid: uuidOf(2), host: 'cmp-r2-07', projectName: 'vision' }
  expect((await search(uuidOf(2).toUpperCase())).guests).toMatchObject([guest])
  expect((await search(uuidOf(2).replaceAll('-', ''))).guests).toMatchObject([guest])
})

test('signs of SQL patterns are only text, and a text does not match across two fields', async () => {
  expect((await search('0%_d')).guests).toHaveLength(1)
  expect((await search('%%')).guests).toEqual([])
  expect((await search('00000002 train')).guests).toEqual([])
})

test('another cloud is not searched', async () => {
  const other = await world.newCloud()
  expect(await searchFleet(world.ctx(), { cloud: other.name, text: 'train' })).toEqual({
    hosts: [],
    gpus: [],
    guests: [],
    types: [],
    flavors: [],
    projects: [],
    findings: [],
    changes: [],
  })
})

test('a type that a GPU has is found by name and by id', async () => {
  const [type] = (await search('T4-4C')).types
  expect(type?.name).toBe('T4-4C')
  expect((await search(type?.typeId ?? '')).types).toContainEqual(type)
})

test('findings are found by title, sentence, host and number, and not once they are resolved', async () => {
  const other = await world.newCloud()
  const base = {
    cloudId: other.id,
    severity: 'warning',
    subjectKind: 'host',
    openedAt: new Date(),
    changedAt: new Date(),
  }
  const { finding } = world.database().prisma
  const row = (key: string, code: string, host: string) => ({
    ...base,
    key,
    code,
    host,
    body: { sentence: `The fan of ${host} is loud.` },
  })
  const { id } = await finding.create({ data: row('a', 'orphan-mdevs', 'cmp-1') })
  await finding.create({ data: { ...row('b', 'orphan-mdevs', 'cmp-2'), closedAt: new Date() } })
  const ids = async (text: string) =>
    (await searchFleet(world.ctx(READER), { cloud: other.name, text })).findings.map((found) => found.id)
  for (const text of ['fan of', 'CMP-', 'orphan', `finding ${id}`, `#${id}`])
    expect(await ids(text), text).toEqual([id])
  expect(await ids('cmp-2')).toEqual([])
})

test.each([' a ', 'x'.repeat(101)])('a text of the wrong length is refused', async (text) => {
  await expect(search(text)).rejects.toMatchObject({ code: 'validation', field: 'text' })
})

test('a tenant is refused', async () => {
  const answer = searchFleet(world.ctx(TENANT), { cloud, text: 'train' })
  await expect(answer).rejects.toMatchObject({ code: 'forbidden' })
})
