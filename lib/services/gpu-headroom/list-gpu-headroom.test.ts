import { expect, test, vi } from 'vitest'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { listGpuRooms } from './list-gpu-headroom'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createReadWorld({ hosts: ['cmp-r5-05', 'cmp-r6-01', 'cmp-r7-05'] })

test('one host’s room is that of its row in the list, aliases of the whole cloud included', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const { rooms } = await listGpuRooms(world.at(), { cloud })
  expect(rooms.map(({ host }) => host)).toContain('cmp-r6-01')
  expect(rooms.some(({ flavors }) => flavors.length > 0)).toBe(true)
  for (const room of rooms) {
    const alone = await listGpuRooms(world.at(), { cloud, host: room.host })
    expect(alone.rooms.map((each) => ({ ...each, flavors: each.flavors.slice(0, 3) }))).toEqual([room])
  }
})

test('rooms come page by page, narrowed by name and state, with the counts of all states', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const whole = await listGpuRooms(world.at(), { cloud })
  const first = await listGpuRooms(world.at(), { cloud, limit: 2 })
  const second = await listGpuRooms(world.at(), { cloud, limit: 2, cursor: first.next })
  expect([...first.rooms, ...second.rooms]).toEqual(whole.rooms)
  expect([first.total, second.next]).toEqual([3, null])
  const named = await listGpuRooms(world.at(), { cloud, q: 'R6-01' })
  expect(named.rooms.map(({ host }) => host)).toEqual(['cmp-r6-01'])
  const [room] = named.rooms
  const ofState = await listGpuRooms(world.at(), { cloud, state: room?.state })
  expect(ofState.rooms).toContainEqual(room)
  expect(ofState.total).toBe(whole.states.find(({ state }) => state === room?.state)?.count)
  expect(ofState.states).toEqual(whole.states)
})

test('the selection sums what is free on a host, on the hosts of an aggregate, or on all', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const { rooms, selection } = await listGpuRooms(world.at(), { cloud })
  const freeOf = (chosen: typeof rooms): number =>
    chosen
      .flatMap(({ lines }) => lines)
      .reduce((sum, { name, free }) => sum + (name === 'VCPU' ? free : 0), 0)
  expect(selection).toMatchObject({ hosts: 3, host: null, free: { VCPU: freeOf(rooms) } })
  const [room] = rooms
  const ofHost = await listGpuRooms(world.at(), { cloud, on: `host:${room?.host}` })
  expect(ofHost.selection).toMatchObject({
    hosts: 1,
    host: room?.host,
    free: { VCPU: freeOf(rooms.slice(0, 1)) },
  })
  const aggregate = room?.aggregates[0]
  const members = rooms.filter(({ aggregates }) => aggregates.includes(aggregate ?? ''))
  const ofAggregate = await listGpuRooms(world.at(), { cloud, on: `aggregate:${aggregate}` })
  expect(ofAggregate.selection).toMatchObject({ hosts: members.length, free: { VCPU: freeOf(members) } })
})

test('an unchanged cloud is counted once, and not at all for a request that has ended', async () => {
  await world.reading().readRound()
  const cloud = world.cloudName()
  const [one, other] = await Promise.all([
    listGpuRooms(world.at(), { cloud }),
    listGpuRooms(world.at(), { cloud }),
  ])
  expect(one.rooms[0]?.lines).toBe(other.rooms[0]?.lines)
  await expect(listGpuRooms({ ...world.at(), signal: AbortSignal.abort() }, { cloud })).rejects.toThrow(
    'abort',
  )
})
