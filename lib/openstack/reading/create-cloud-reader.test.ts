import { afterEach, describe, expect, it } from 'vitest'
import { createServiceAccount } from '../session/create-service-account'
import { createCloudReader } from './create-cloud-reader'
import { buildFleet, type Fleet, serveFleet } from './testing/served-fleet'
import type { ReadingRound } from './types'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const open = async (fleet: Fleet, options = {}) => {
  const served = await serveFleet(fleet)
  const account = createServiceAccount(served.config)
  cleanups.push(account.close, served.stop)
  const reader = createCloudReader({ account, ...options })
  let nowMs = Date.parse('2026-11-21T08:00:00Z')
  /** A minute later each time. */
  const read = () => {
    nowMs += 60_000
    return reader.readRound({ previous: null, now: new Date(nowMs) })
  }
  const since = (count: number) => served.seen.slice(count).map((request) => request.url)
  return { served, read, since }
}

const requestsOf = (round: ReadingRound) => round.cost.reduce((sum, { requests }) => sum + requests, 0)

const providerOf = (fleet: Fleet, uuid: string) => {
  const found = fleet.providers.find((provider) => provider.uuid === uuid)
  if (found === undefined) throw new Error(`no provider ${uuid}`)
  return found
}

const fill = (fleet: Fleet, root: string) => {
  for (const provider of fleet.providers.filter((candidate) => candidate.root === root)) {
    for (const inventory of Object.values(provider.inventories)) inventory.used = inventory.total
    provider.generation += 1
  }
}

describe('createCloudReader', () => {
  it('reads everything in the first round', async () => {
    const fleet = buildFleet(3)
    const { read } = await open(fleet)
    const { facts, cost, waitingRequests } = await read()
    expect(waitingRequests).toBe(0)
    expect(cost.map(({ error }) => error)).toEqual([null, null, null, null])
    expect(facts).toMatchObject({
      cloud: 'test',
      region: 'RegionOne',
      versions: { nova: '2.96', placement: '1.39', keystone: '3.14' },
      limits: { value: { model: 'flat', novaServiceId: 'nova', novaRegionId: 'RegionOne', project: [] } },
    })
    expect(facts.providers.value).toHaveLength(15)
    expect(facts.providers.value?.[1]).toMatchObject({
      name: 'cmp0_pci_0000_80_00_0',
      parentUuid: 'root-0',
      inventories: { VGPU: { capacity: 4, used: 1, total: 4, reserved: 0 } },
      traits: ['COMPUTE_NODE'],
    })
    expect(facts.allocations.value).toEqual(
      [0, 1, 2].map((host) => ({
        consumerUuid: `server-${host}`,
        providerUuid: `gpu-${host}-0`,
        resources: { VGPU: 1 },
      })),
    )
    expect(facts.servers.value?.map((server) => server.host)).toEqual(['cmp0', 'cmp1', 'cmp2'])
    expect(facts.projects.value?.map((project) => project.name)).toEqual(['demo'])
  })

  it('keeps the objects of providers that did not change', async () => {
    const fleet = buildFleet(3)
    const { read } = await open(fleet)
    await read()
    const before = (await read()).facts.providers.value
    expect((await read()).facts.providers.value).toSatisfy((now) =>
      now.every((provider: unknown, index: number) => provider === before?.[index]),
    )
    const changed = providerOf(fleet, 'root-1')
    for (const inventory of Object.values(changed.inventories)) inventory.used += 1
    changed.generation += 1
    const now = (await read()).facts.providers.value ?? []
    const isOther = ({ uuid }: { uuid: string }, index: number) =>
      now[index]?.uuid === uuid && now[index] !== before?.[index]
    expect(before?.filter(isOther).map(({ uuid }) => uuid)).toEqual(['root-1'])
    fill(fleet, 'root-2')
    await read()
    const full = (await read()).facts.providers.value
    expect((await read()).facts.providers.value?.[10]).toBe(full?.[10])
  })

  it('knows in which aggregates of Nova Placement has a host, and reads them again in turn', async () => {
    const fleet = buildFleet(2)
    fleet.aggregates = [
      { uuid: 'racks', hosts: ['cmp0', 'cmp1'], members: ['root-0'] },
      { uuid: 'empty', hosts: [], members: [] },
    ]
    const { read, since, served } = await open(fleet)
    const aggregatesOf = ({ facts }: ReadingRound) =>
      facts.providers.value
        ?.filter(({ parentUuid }) => parentUuid === null)
        .map((root) => root.aggregateUuids)
    expect(aggregatesOf(await read())).toEqual([['racks'], []])
    fleet.aggregates[0]?.members.push('root-1')
    const before = served.seen.length
    expect(aggregatesOf(await read())).toEqual([['racks'], ['racks']])
    expect(since(before).filter((url) => url.includes('member_of'))).toEqual([
      '/placement/resource_providers?member_of=racks',
    ])
  })

  it('costs at most 10 requests in every quiet round of 1,000 hosts with 4 pGPUs', async () => {
    const fleet = buildFleet(1000)
    fill(fleet, 'root-7')
    const { read } = await open(fleet, { maxRequestsPerRound: 2000 })
    await read()
    const costs: number[] = []
    for (let index = 0; index < 12; index += 1) costs.push(requestsOf(await read()))
    expect(Math.max(...costs)).toBeLessThanOrEqual(10)
    expect(Math.min(...costs)).toBeGreaterThanOrEqual(5)
  }, 60_000)

  it('requests allocations only where used changed, though the generation did not', async () => {
    const fleet = buildFleet(3)
    const { read, served, since } = await open(fleet)
    await read()
    const count = served.seen.length
    const gpu = providerOf(fleet, 'gpu-1-0')
    gpu.inventories = { VGPU: { total: 4, used: 2 } }
    fleet.allocations.set('gpu-1-0', {
      'server-1': { resources: { VGPU: 1 } },
      lost: { resources: { VGPU: 1 } },
    })
    const { facts } = await read()
    const requested = since(count)
    expect(requested.filter((url) => url.endsWith('/allocations'))).toEqual([
      '/placement/resource_providers/gpu-1-0/allocations',
    ])
    expect(requested).toContain('/compute/v2.1/servers/lost')
    expect(facts.allocations.value).toHaveLength(4)
  })

  it('reads what is reserved of a GPU where the capacity changed, and not again while it is the same', async () => {
    const fleet = buildFleet(3)
    const { read, served, since } = await open(fleet)
    await read()
    const gpu = providerOf(fleet, 'gpu-1-0')
    const inventoriesAfter = async (change: () => void) => {
      const count = served.seen.length
      change()
      gpu.generation += 1
      const { facts } = await read()
      return {
        vgpus: facts.providers.value?.find(({ uuid }) => uuid === gpu.uuid)?.inventories?.VGPU,
        urls: since(count).filter((url) => url.endsWith('/inventories')),
      }
    }
    const reserved = await inventoriesAfter(() => {
      gpu.inventories = { VGPU: { total: 4, used: 1, reserved: 2 } }
    })
    expect(reserved).toMatchObject({
      vgpus: { total: 4, reserved: 2, capacity: 2, used: 1 },
      urls: ['/placement/resource_providers/gpu-1-0/inventories'],
    })
    const allocated = await inventoriesAfter(() => {
      gpu.inventories = { VGPU: { total: 4, used: 2, reserved: 2 } }
    })
    expect(allocated).toMatchObject({ vgpus: { total: 4, reserved: 2, capacity: 2, used: 2 }, urls: [] })
  })

  it('reads full trees one by one, once', async () => {
    const fleet = buildFleet(3)
    fill(fleet, 'root-2')
    const { read, served, since } = await open(fleet)
    const first = await read()
    expect(first.facts.providers.value?.find(({ uuid }) => uuid === 'gpu-2-3')).toMatchObject({
      inventories: { VGPU: { capacity: 4, used: 4, total: 4, reserved: 0, maxUnit: 100 } },
      traits: ['COMPUTE_NODE'],
    })
    const count = served.seen.length
    const second = await read()
    // One in turn, in case something was given back without a CPU.
    expect(since(count).filter((url) => url.includes('/resource_providers/'))).toEqual([
      '/placement/resource_providers/root-2/usages',
    ])
    expect(second.facts.providers.value).toEqual(first.facts.providers.value)
    expect(second.notes).toEqual([])

    providerOf(fleet, 'gpu-2-3').inventories = { VGPU: { total: 4, used: 3 } }
    providerOf(fleet, 'root-2').inventories = { VCPU: { total: 64, used: 63 } }
    const third = await read()
    const freed = third.facts.providers.value?.find(({ uuid }) => uuid === 'gpu-2-3')
    expect(freed?.inventories?.VGPU).toMatchObject({ used: 3, total: 4 })
  })

  it('finds what was given back without a CPU within as many rounds as a full tree has providers', async () => {
    const fleet = buildFleet(2)
    fill(fleet, 'root-1')
    const { read } = await open(fleet)
    await read()
    providerOf(fleet, 'gpu-1-3').inventories = { VGPU: { total: 4, used: 3 } }
    let last = await read()
    for (let index = 0; index < 4; index += 1) last = await read()
    const freed = last.facts.providers.value?.find(({ uuid }) => uuid === 'gpu-1-3')
    expect(freed?.inventories?.VGPU?.used).toBe(3)
  })

  it('sees a list of candidates that Placement cut, and reads the rest one by one', async () => {
    const fleet = buildFleet(4)
    fleet.maxCandidates = 2
    const { read } = await open(fleet)
    await read()
    providerOf(fleet, 'gpu-3-0').inventories = { VGPU: { total: 4, used: 0 } }
    const { facts, notes } = await read()
    expect(notes.join(' ')).toContain('at most 2 candidates ([placement] max_allocation_candidates)')
    const freed = facts.providers.value?.find(({ uuid }) => uuid === 'gpu-3-0')
    expect(freed?.inventories?.VGPU?.used).toBe(0)
  })

  it('follows servers by their changes', async () => {
    const fleet = buildFleet(12)
    const { read, served, since } = await open(fleet)
    await read()
    const count = served.seen.length
    const later = new Date(Date.now() + 1000).toISOString()
    fleet.servers = fleet.servers.filter((server) => server.id !== 'server-5')
    fleet.servers.push({ id: 'server-5', host: 'cmp5', status: 'DELETED', updatedAt: later })
    fleet.servers.push({ id: 'new', host: 'cmp6', status: 'BUILD', updatedAt: later })
    fleet.servers.push({ id: 'other', host: 'no-gpus', status: 'ACTIVE', updatedAt: later })
    fleet.allocations.delete('gpu-5-0')
    providerOf(fleet, 'gpu-5-0').inventories = { VGPU: { total: 4, used: 0 } }
    const { facts } = await read()
    const uuids = facts.servers.value?.map((server) => server.uuid) ?? []
    expect(uuids).toContain('new')
    expect(uuids).not.toContain('server-5')
    expect(uuids).not.toContain('other')
    expect(since(count).filter((url) => url.includes('/servers/detail'))).toHaveLength(2)
  })

  it.each([
    { how: 'host by host', hosts: 3 },
    { how: 'page by page', hosts: 12 },
  ])('shows no server that Nova still lists as DELETED, $how and later', async ({ hosts }) => {
    const fleet = buildFleet(hosts)
    const deleting = (id: string) => {
      for (const server of fleet.servers) if (server.id === id) server.status = 'DELETED'
    }
    deleting('server-0')
    const { read } = await open(fleet)
    const uuids = async () => (await read()).facts.servers.value?.map(({ uuid }) => uuid) ?? []
    const first = await uuids()
    expect(first).toHaveLength(hosts - 1)
    expect(first).not.toContain('server-0')
    // Its change was not reported: each round reads one host in turn.
    deleting('server-1')
    expect(await uuids()).not.toContain('server-1')
  })

  it('keeps the last value of a dead service, with the error and since when, and reads the others', async () => {
    const fleet = buildFleet(2)
    const { read } = await open(fleet)
    const first = await read()
    fleet.broken.add('compute')
    const second = await read()
    const third = await read()
    expect(second.facts.services).toMatchObject({
      value: first.facts.services.value,
      at: '2026-11-21T08:01:00.000Z',
      error: expect.stringContaining('Nova of cloud "test"'),
      failingSince: '2026-11-21T08:02:00.000Z',
    })
    expect(third.facts.services.failingSince).toBe('2026-11-21T08:02:00.000Z')
    expect(third.facts.providers).toMatchObject({ error: null, at: '2026-11-21T08:03:00.000Z' })
    expect(third.cost.find(({ service }) => service === 'nova')).toMatchObject({
      requests: 1,
      error: expect.stringContaining('status 500'),
    })
    fleet.broken.clear()
    const fourth = await read()
    expect(fourth.facts.services).toMatchObject({ error: null, failingSince: null })
    expect(fourth.facts.servers.error).toBeNull()
  })

  it('reports unknown, not none, if a request failed', async () => {
    const fleet = buildFleet(2)
    fleet.broken.add('placement')
    const { read } = await open(fleet)
    const { facts } = await read()
    for (const part of [facts.providers, facts.allocations, facts.servers]) {
      expect(part).toMatchObject({ value: null, at: null, error: expect.any(String) })
    }
    expect(facts.services.value).toHaveLength(2)
  })

  it('spreads a dear first reading over rounds', async () => {
    const fleet = buildFleet(40)
    const { read } = await open(fleet, { maxRequestsPerRound: 30 })
    const first = await read()
    expect(first.facts.allocations).toMatchObject({
      value: null,
      error: expect.stringContaining('of 40 GPU providers'),
    })
    expect(first.waitingRequests).toBeGreaterThan(0)
    expect(first.isUnfinished).toBe(true)
    expect(requestsOf(first)).toBeLessThanOrEqual(40)
    let last = first
    for (let index = 0; index < 6; index += 1) last = await read()
    expect(last.facts.allocations.value).toHaveLength(40)
    expect(last.waitingRequests).toBe(0)
    expect(last.isUnfinished).toBe(false)
  })

  it('reads host by host where paging through all servers would cost more', async () => {
    const fleet = buildFleet(12)
    const others = Array.from({ length: 20_000 }, (_, index) => ({
      id: `a-other-${index}`,
      host: 'no-gpus',
      status: 'ACTIVE',
      updatedAt: '2026-01-01T00:00:00Z',
    }))
    fleet.servers = [...others, ...fleet.servers]
    const { read, served, since } = await open(fleet, { maxRequestsPerRound: 20 })
    let last = await read()
    expect(last.facts.servers).toMatchObject({
      value: null,
      error: expect.stringContaining('of 12 GPU hosts'),
    })
    const count = served.seen.length
    for (let index = 0; index < 5; index += 1) last = await read()
    expect(last.facts.servers.error).toBeNull()
    expect(last.facts.servers.value).toHaveLength(12)
    const lists = since(count).filter((url) => url.includes('/servers/detail'))
    expect(lists.filter((url) => !url.includes('host=') && !url.includes('changes-since='))).toEqual([])
  })
})
