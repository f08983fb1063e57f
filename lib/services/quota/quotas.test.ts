import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type QuotaList, type QuotaRow, quotaListSchema } from '@/lib/schemas/api/quota'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { listQuotas } from './list-quotas'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

// Before Nova 31 -1 refuses everything, and a name without a registered limit is 0.
const world = createFlavorWorld({ release: '2024.1' })
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
})
afterEach(() => close?.())

const list = async (): Promise<QuotaList> =>
  quotaListSchema.parse(
    await listQuotas(world.ctx(READER), { cloud: world.opened().cloud.name, limit: 1000 }),
  )

const rowOf = ({ table }: QuotaList, project: string, resourceName = 'class:VGPU'): QuotaRow => {
  const found = table?.rows.find((row) => row.projectName === project && row.resourceName === resourceName)
  if (found === undefined) throw new Error(`no row of ${project} and ${resourceName}`)
  return found
}

/** Projects that hold a class, with how much, as the simulated Placement has it. */
const held = (resourceClass: string): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const { projectId, allocations } of world.openstack().cloud.placement.consumers.values())
    for (const resources of allocations.values()) {
      const amount = resources.get(resourceClass) ?? 0
      if (amount > 0) sums.set(projectId, (sums.get(projectId) ?? 0) + amount)
    }
  return sums
}

it('shows each project’s limit, Placement’s count and what is left', async () => {
  await world.read()
  const quotas = await list()
  for (const [projectId, used] of held('VGPU')) {
    const row = quotas.table?.rows.find(
      (each) => each.projectId === projectId && each.resourceName === 'class:VGPU',
    )
    expect(row).toMatchObject({ used: { value: used }, limit: { kind: 'number', origin: 'own' } })
    expect(row?.left).toBe(row?.limit.kind === 'number' ? row.limit.value - used : null)
  }
  expect(held('VGPU').size).toBeGreaterThan(1)
  expect(quotas.region).toBe('RegionOne')
})

it('compares the sum of limits with the capacity that the drivers report', async () => {
  await world.read()
  const { table } = await list()
  const vgpu = table?.classes.find(({ resourceName }) => resourceName === 'class:VGPU')
  const sum = (table?.rows ?? [])
    .filter(({ resourceName }) => resourceName === 'class:VGPU')
    .reduce((total, { limit }) => total + (limit.kind === 'number' ? limit.value : 0), 0)
  expect(vgpu?.sum).toBe(sum)
  expect(vgpu?.capacity?.value).toBeGreaterThan(0)
  expect(vgpu?.advertised).toBeGreaterThanOrEqual(vgpu?.capacity?.value ?? Number.POSITIVE_INFINITY)
})

it('states the meaning of a class that is not registered', async () => {
  world.openstack().controls.dropLimit()
  await world.read()
  const row = rowOf(await list(), 'cfd-lab')
  expect(row.limit).toEqual({ kind: 'number', value: 0, origin: 'missing' })
  expect(row.left).toBe(-(row.used.value ?? Number.NaN))
})

it('does not see rows without a region, as Nova does not', async () => {
  world.openstack().controls.loseRegion()
  await world.read()
  expect(rowOf(await list(), 'cfd-lab').limit.origin).toBe('missing')
})

it('takes -1 unchanged on this release', async () => {
  world.openstack().controls.setLimit({ value: '-1' })
  await world.read()
  expect(rowOf(await list(), 'cfd-lab').limit).toEqual({ kind: 'number', value: -1, origin: 'own' })
})

it('states that Placement did not answer, and never shows 0', async () => {
  await world.read()
  world.openstack().controls.breakApi({ service: 'placement' })
  const { table } = await list()
  expect(table?.rows.every(({ used }) => used.value === null && used.reason !== null)).toBe(true)
  expect(table?.classes.every(({ used }) => used === null)).toBe(true)
})

it('counts a move twice and names its server', async () => {
  const { cloud } = world.openstack()
  const [server] = [...cloud.nova.servers.values()].filter(({ uuid }) =>
    [...(cloud.placement.consumers.get(uuid)?.allocations.values() ?? [])].some((each) => each.has('VGPU')),
  )
  const consumer = cloud.placement.consumers.get(server?.uuid ?? '')
  if (server === undefined || consumer === undefined) throw new Error('no server has a vGPU')
  const uuid = 'aaaaaaaa-0000-4000-8000-000000000001'
  putConsumer(cloud.placement, { ...consumer, uuid, type: 'MIGRATION' })
  cloud.nova.migrations.push({
    id: 9001,
    uuid,
    serverUuid: server.uuid,
    type: 'resize',
    status: 'finished',
    sourceHost: server.host ?? '',
    destinationHost: server.host,
    createdMs: world.ctx().now().getTime(),
    updatedMs: world.ctx().now().getTime(),
  })
  await world.read()
  const { table } = await list()
  const row = table?.rows.find(
    (each) => each.projectId === server.projectId && each.resourceName === 'class:VGPU',
  )
  expect(row?.moving).toMatchObject({ servers: [server.name] })
  expect(row?.moving.amount).toBeGreaterThan(0)
})

it('marks GPUs by alias as not counted on this release', async () => {
  const [server] = world.openstack().cloud.nova.servers.values()
  if (server === undefined) throw new Error('the cloud has no server')
  server.flavor = { ...server.flavor, extraSpecs: { 'pci_passthrough:alias': 'h100:2' } }
  await world.read()
  const { aliases } = await list()
  expect(aliases.areCounted).toBe(false)
  expect(aliases.uses).toContainEqual(
    expect.objectContaining({ projectId: server.projectId, alias: 'h100', devices: 2, servers: 1 }),
  )
})

it('lists rows page by page, narrowed and sorted, with the counts of all', async () => {
  await world.read()
  const cloud = world.opened().cloud.name
  const whole = await list()
  const scope = { cloud, gpu: 'true', sort: 'used', limit: 3 } as const
  const first = await listQuotas(world.ctx(READER), scope)
  const second = await listQuotas(world.ctx(READER), { ...scope, cursor: first.next })
  const used = [first, second].flatMap(({ table }) => table?.rows ?? []).map((row) => row.used.value ?? -1)
  expect(used).toHaveLength(6)
  expect(used).toEqual(used.toSorted((a, b) => b - a))
  const gpus = new Set(whole.table?.classes.filter(({ isGpu }) => isGpu).map((each) => each.resourceName))
  expect(first.total).toBe(whole.table?.rows.filter(({ resourceName }) => gpus.has(resourceName)).length)
  const [row] = first.table?.rows ?? []
  const ofProject = await listQuotas(world.ctx(READER), { cloud, projects: row?.projectId })
  expect(new Set(ofProject.table?.rows.map(({ projectId }) => projectId))).toEqual(new Set([row?.projectId]))
})

it('does not wait for Placement where there are many projects, and shows the counts when they are there', async () => {
  const { keystone } = world.openstack().cloud
  const [project] = keystone.projects
  if (project === undefined) throw new Error('the cloud has no project')
  for (let number = 0; number < 120; number += 1)
    keystone.projects.push({ ...project, id: `many${number}`.padEnd(32, '0'), name: `many-${number}` })
  await world.read()
  world.openstack().controls.breakApi({ service: 'placement', kind: 'slow', value: '700' })
  const early = await list()
  expect(early.table?.rows.some(({ used }) => used.reason === 'Placement has not answered yet')).toBe(true)
  expect(early.table?.rows.every(({ used }) => used.value === null)).toBe(true)
  world.openstack().controls.repairApi({ service: 'placement' })
  await vi.waitFor(
    async () => expect((await list()).table?.rows.every(({ used }) => used.value !== null)).toBe(true),
    { timeout: 60_000, interval: 500 },
  )
})

it('has nothing to say before the first round, and nothing for tenants', async () => {
  expect(await list()).toMatchObject({ isRead: false, table: null })
  await expect(listQuotas(world.ctx(TENANT), { cloud: world.opened().cloud.name })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
