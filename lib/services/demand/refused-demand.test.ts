import { beforeAll, expect, test, vi } from 'vitest'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import { refusedDemandSchema } from '@/lib/schemas/api/refused-demand'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { exportRefusedDemand } from './export-refused-demand'
import { getRefusedDemand } from './get-refused-demand'

vi.setConfig({ testTimeout: 120_000 })

const world = createReadWorld({ hosts: ['cmp-r2-07'] })
const MINUTE = 60_000

const FLAVOR = 'vgpu.nowhere'

/** With a trait that no pGPU has. */
beforeAll(() => {
  const { flavors } = world.openstack().cloud.nova
  const like = flavors.find(({ name }) => name === 'vgpu.t4-16c')
  if (like === undefined) throw new Error('the cloud has no flavor with a vGPU')
  const extraSpecs = { 'resources:VGPU': '1', 'trait:HW_GPU_API_VULKAN': 'required' }
  flavors.push({ ...like, id: 'nowhere', name: FLAVOR, extraSpecs })
})

/** Asks Nova for a server as a person would, and gets none. */
const refuse = async (): Promise<string> => {
  const account = createServiceAccount(
    testCloudConfig({
      name: world.cloudName(),
      authUrl: world.openstack().authUrl,
      account: DEMO_ACCOUNTS.admin,
    }),
  )
  try {
    const nova = createNova({ account })
    const flavorId = (await nova.listFlavors()).find(({ name }) => name === FLAVOR)?.id ?? ''
    const wanted = { name: 'refused', flavorId, imageId: IMAGE_ID, networks: 'none', metadata: {} } as const
    const uuid = await nova.createServer(wanted)
    world.pass(MINUTE)
    world.openstack().world.advance(MINUTE)
    expect((await nova.getServer(uuid))?.status).toBe('ERROR')
    return uuid
  } finally {
    await account.close()
  }
}

const ask = async (days = 30) =>
  refusedDemandSchema.parse(await getRefusedDemand(world.at(READER), { cloud: world.cloudName(), days }))

test('a server for which Nova found no host is stored once, with flavor, project and Nova’s message, also when it is deleted', async () => {
  await world.reading().readRound()
  expect(await ask()).toMatchObject({ servers: 0, groups: [], days: [] })
  const uuid = await refuse()
  await world.reading().readRound()
  const { nova } = world.openstack().cloud
  const server = nova.servers.get(uuid)
  if (server === undefined) throw new Error('the simulated Nova lost the server')
  nova.servers.delete(uuid)
  nova.deletedServers.set(uuid, server)
  for (let round = 0; round < 2; round += 1) {
    world.pass(MINUTE)
    world.openstack().world.advance(MINUTE)
    await world.reading().readRound()
  }
  const refused = await ask()
  expect(refused.servers).toBe(1)
  expect(refused.groups).toMatchObject([
    {
      flavorName: FLAVOR,
      projectName: DEMO_ACCOUNTS.admin.project,
      reason: 'no-valid-host',
      servers: 1,
      message: expect.stringContaining('No valid host was found'),
    },
  ])
  expect(refused.days).toEqual([{ day: '2026-11-21', reason: 'no-valid-host', servers: 1 }])
  world.pass(2 * 86_400_000)
  expect(await ask(1)).toMatchObject({ servers: 0, groups: [] })
  expect((await ask(3)).servers).toBe(1)
})

test('what was refused while no console looked is caught up on', async () => {
  world.openstack().cloud.nova.deletedServers.clear()
  await world.reading().readRound()
  await refuse()
  expect((await ask()).servers).toBe(0)
  const later = world.newReading()
  await later.readRound()
  expect((await ask()).servers).toBe(1)
})

test('a range, a flavor and a project are honoured, and points and rows of the CSV count each server once', async () => {
  await world.reading().readRound()
  await refuse()
  await world.reading().readRound()
  const whole = await ask()
  expect(whole.servers).toBeGreaterThan(0)
  expect(whole.points.reduce((sum, { servers }) => sum + servers['no-valid-host'], 0)).toBe(whole.servers)
  const [group] = whole.groups
  const at = Date.parse(group?.lastAt ?? '')
  const [from, after, until] = [at, at + 1, at + 2].map((ms) => new Date(ms).toISOString())
  const during = (scope: object) =>
    getRefusedDemand(world.at(READER), { cloud: world.cloudName(), from, until, ...scope })
  expect(await during({})).toMatchObject({ since: from, until, servers: group?.servers, stepSeconds: 3600 })
  expect((await during({ from: after })).servers).toBe(0)
  expect((await during({ flavor: FLAVOR, project: group?.projectId })).servers).toBe(group?.servers)
  expect((await during({ flavor: 'another' })).servers).toBe(0)
  expect((await during({ project: 'another' })).servers).toBe(0)
  const { text } = await exportRefusedDemand(world.at(READER), { cloud: world.cloudName() })
  expect(
    text
      .split('\r\n')
      .filter((row) => row.includes(FLAVOR))
      .join(),
  ).toMatch(/,no-valid-host,\d$/)
})

test('days next to a begin is refused with what to leave out', async () => {
  const both = { cloud: world.cloudName(), days: 7, from: '2026-11-01T00:00:00Z' }
  await expect(getRefusedDemand(world.at(READER), both)).rejects.toMatchObject({
    code: 'validation',
    message: 'days is 7, but from names the begin: leave one of them out.',
  })
})

test('is for those who may see the fleet', async () => {
  await expect(getRefusedDemand(world.at(TENANT), { cloud: world.cloudName() })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(getRefusedDemand(world.at(), { cloud: world.cloudName(), days: 0 })).rejects.toMatchObject({
    code: 'validation',
  })
})
