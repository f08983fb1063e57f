import { expect, test, vi } from 'vitest'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { listGpuRooms } from './list-gpu-rooms'

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
    expect(alone.rooms).toEqual([room])
  }
})
