import { expect, test, vi } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { vgpuActionsSchema } from '@/lib/schemas/api/vgpu-action'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { listVgpuActions } from './list-vgpu-actions'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createReadWorld({ hosts: ['cmp-r1-02', 'cmp-r1-03', 'cmp-r1-05'] })

const list = async () =>
  vgpuActionsSchema.parse(await listVgpuActions(world.at(READER), { cloud: world.cloudName() }))

const setNova = async (nova: string | null) => {
  await world.reading().readRound()
  await world.at().database.prisma.cloudRound.updateMany({ data: { versions: { nova } } })
}

test('the release of Nova decides, and hosts below a minimum version are listed', async () => {
  await setNova('2.96')
  const { release, apiVersion, actions } = await list()
  expect([release, apiVersion]).toEqual(['Nova 29 or 30', '2.96'])
  expect(Object.fromEntries(actions.map(({ name, state }) => [name, state]))).toEqual({
    suspend: 'supported',
    move: 'supported',
    rescue: 'supported',
    liveMigration: 'supported',
    vfioLiveMigration: 'fails',
    multiCreate: 'limited',
    severalVgpus: 'fails',
    persistentMdevs: 'unknown',
  })
  expect(actions.find(({ name }) => name === 'liveMigration')?.hosts).toEqual([
    { name: 'cmp-r1-02', because: 'has kernel 5.15.0-113-generic, but 5.18 is required' },
  ])
  expect(actions.find(({ name }) => name === 'suspend')?.hosts).toEqual([])
})

test('the release of a host counts before that of nova-api', async () => {
  await setNova('2.100')
  const { id } = await world.at().database.prisma.cloud.findFirstOrThrow({
    where: { name: world.cloudName() },
  })
  for (const { living } of world.openstack().world.hosts) {
    const { host, ...inventory } = await scanHost({ root: living.root, hostName: living.name })
    const version = living.name === 'cmp-r1-03' ? '29.2.0' : '31.0.0'
    const novaCompute = { startedAt: '2026-11-20T08:00:00Z', version }
    const report = { ...inventory, host: { ...host, novaCompute } }
    await storeReport(world.database(), { cloudId: id, inventory: report, seenAt: world.at().now() })
  }
  const persistent = (await list()).actions.find(({ name }) => name === 'persistentMdevs')
  expect(persistent?.state).toBe('supported')
  expect(persistent?.sentence).not.toContain('Check the version')
  expect(persistent?.hosts).toEqual([
    { name: 'cmp-r1-03', because: 'runs Nova 29, Nova 30 (2024.2) or newer is required' },
  ])
})

test('an unknown release has a reason', async () => {
  await setNova(null)
  const unrecognized = await list()
  expect([unrecognized.release, unrecognized.actions[0]?.state]).toEqual([null, 'unknown'])
  expect(unrecognized.actions[0]?.sentence).toContain("Nova's API version was not recognized")
  await world.at().database.prisma.cloudRound.deleteMany()
  expect((await list()).actions[0]?.sentence).toContain('The cloud has not been read yet')
})

test('a tenant is refused', async () => {
  await expect(listVgpuActions(world.at(TENANT), { cloud: world.cloudName() })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
