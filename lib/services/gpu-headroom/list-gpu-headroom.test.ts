import { expect, test, vi } from 'vitest'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { listGpuHeadroom } from './list-gpu-headroom'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createReadWorld({ hosts: ['cmp-r5-05', 'cmp-r6-01', 'cmp-r7-05'] })

test('the headroom of one host is that of its row in the list, aliases of the whole cloud included', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const { hosts } = await listGpuHeadroom(world.at(), { cloud })
  expect(hosts.map(({ host }) => host)).toContain('cmp-r6-01')
  expect(hosts.some(({ flavors }) => flavors.length > 0)).toBe(true)
  for (const listed of hosts) {
    const alone = await listGpuHeadroom(world.at(), { cloud, host: listed.host })
    expect(alone.hosts.map((each) => ({ ...each, flavors: each.flavors.slice(0, 3) }))).toEqual([listed])
  }
})

test('hosts come page by page, filtered by name and state, with the counts of all states', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const whole = await listGpuHeadroom(world.at(), { cloud })
  const first = await listGpuHeadroom(world.at(), { cloud, limit: 2 })
  const second = await listGpuHeadroom(world.at(), { cloud, limit: 2, cursor: first.next })
  expect([...first.hosts, ...second.hosts]).toEqual(whole.hosts)
  expect([first.total, second.next]).toEqual([3, null])
  const named = await listGpuHeadroom(world.at(), { cloud, q: 'R6-01' })
  expect(named.hosts.map(({ host }) => host)).toEqual(['cmp-r6-01'])
  const [one] = named.hosts
  const ofState = await listGpuHeadroom(world.at(), { cloud, state: one?.state })
  expect(ofState.hosts).toContainEqual(one)
  expect(ofState.total).toBe(whole.states.find(({ state }) => state === one?.state)?.count)
  expect(ofState.states).toEqual(whole.states)
})

test('the selection sums what is free on a host, on the hosts of an aggregate, or on all', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const { hosts, selection } = await listGpuHeadroom(world.at(), { cloud })
  const freeOf = (chosen: typeof hosts): number =>
    chosen
      .flatMap(({ lines }) => lines)
      .reduce((sum, { name, free }) => sum + (name === 'VCPU' ? free : 0), 0)
  expect(selection).toMatchObject({ hosts: 3, host: null, free: { VCPU: freeOf(hosts) } })
  const [host] = hosts
  const ofHost = await listGpuHeadroom(world.at(), { cloud, on: `host:${host?.host}` })
  expect(ofHost.selection).toMatchObject({
    hosts: 1,
    host: host?.host,
    free: { VCPU: freeOf(hosts.slice(0, 1)) },
  })
  const aggregate = host?.aggregates[0]
  const members = hosts.filter(({ aggregates }) => aggregates.includes(aggregate ?? ''))
  const ofAggregate = await listGpuHeadroom(world.at(), { cloud, on: `aggregate:${aggregate}` })
  expect(ofAggregate.selection).toMatchObject({ hosts: members.length, free: { VCPU: freeOf(members) } })
})

test('an unchanged cloud is counted once, and not at all for a request that has ended', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const [one, other] = await Promise.all([
    listGpuHeadroom(world.at(), { cloud }),
    listGpuHeadroom(world.at(), { cloud }),
  ])
  expect(one.hosts[0]?.lines).toBe(other.hosts[0]?.lines)
  await expect(listGpuHeadroom({ ...world.at(), signal: AbortSignal.abort() }, { cloud })).rejects.toThrow(
    'abort',
  )
})
