import { expect, test } from 'vitest'
import { gpuServerListSchema } from '@/lib/schemas/api/gpu-server'
import type { GpuServerListScope } from '@/lib/schemas/api/scope'
import type { Actor } from '@/lib/server/context/service-context'
import { getHost } from '@/lib/services/host/get-host'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { listGpuServers } from './list-gpu-servers'

const world = createReadWorld({ hosts: ['cmp-r2-05', 'cmp-r4-01', 'cmp-r6-01'] })

const list = async (input: Partial<GpuServerListScope> = {}, actor: Actor = READER) =>
  gpuServerListSchema.parse(await listGpuServers(world.at(actor), { cloud: world.cloudName(), ...input }))

const uuidsOnHosts = async (): Promise<string[]> => {
  const uuids: string[] = []
  for (const { living } of world.openstack().world.hosts) {
    const { guests } = await getHost(world.at(), { cloud: world.cloudName(), host: living.name })
    for (const { guestUuid, gpus } of guests ?? []) if (gpus.length > 0) uuids.push(guestUuid)
  }
  return uuids
}

test('lists every guest with a GPU once with Nova’s values, page by page, filtered and sorted', async () => {
  await world.reading().readRound()
  const { servers, counts, total, next, novaGap, hostGaps } = await list()
  expect(servers.map(({ uuid }) => uuid).sort()).toEqual((await uuidsOnHosts()).sort())
  expect([total, counts.all, next, novaGap, hostGaps]).toEqual([
    servers.length,
    servers.length,
    null,
    null,
    [],
  ])
  const { nova } = world.openstack().cloud
  for (const server of servers) {
    const known = nova.servers.get(server.uuid)
    expect([server.status, server.name]).toEqual([known?.status, known?.name])
    expect(server.gpus.every(({ address, device }) => address !== null && device !== null)).toBe(true)
  }
  const first = await list({ limit: 2, sort: 'host', desc: 'true' })
  const rest = await list({ sort: 'host', desc: 'true', cursor: first.next })
  expect([...first.servers, ...rest.servers].map(({ uuid }) => uuid).sort()).toEqual(
    servers.map(({ uuid }) => uuid).sort(),
  )
  expect(first.servers[0]?.host).toBe('cmp-r6-01')
  const found = await list({ q: 'cmp-r4-01 a40' })
  expect(found.total).toBeGreaterThan(0)
  expect(new Set(found.servers.map(({ host }) => host))).toEqual(new Set(['cmp-r4-01']))
})

test('before the first round the hosts’ reports are listed, and Nova’s values are unknown', async () => {
  const { servers, novaGap, readAt } = await list()
  expect([servers.length, readAt]).toEqual([(await uuidsOnHosts()).length, null])
  expect(novaGap).toContain('could not be read')
  expect(new Set(servers.map(({ status }) => status))).toEqual(new Set([null]))
})

test('while Nova does not answer the last values are listed, with the reason; silent hosts are named', async () => {
  await world.reading().readRound()
  const before = await list()
  world.openstack().controls.breakApi({ service: 'nova', kind: '503' })
  world.pass(400_000)
  await world.reading().readRound()
  world.openstack().controls.heal()
  const { servers, novaGap, hostGaps, counts } = await list()
  expect(servers.map(({ uuid, status }) => [uuid, status])).toEqual(
    before.servers.map(({ uuid, status }) => [uuid, status]),
  )
  expect(novaGap).toContain('Nova')
  expect(hostGaps).toMatchObject([{ kind: 'silent', count: 3 }])
  expect(counts.silent).toBe(counts.all)
})

test('another cloud has none of them, an unknown one is not found, and a tenant is refused', async () => {
  const other = await world.newCloud()
  expect(await list({ cloud: other.name })).toMatchObject({ servers: [], total: 0, hostCount: 0 })
  await expect(list({ cloud: 'no-such' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(list({}, TENANT)).rejects.toMatchObject({ code: 'forbidden' })
})
