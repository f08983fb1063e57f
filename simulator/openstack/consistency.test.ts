import { expect, it } from 'vitest'
import { DEMO_CLOUD, demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { createWorld, type World } from '@/simulator/world/world'
import type { Cloud } from './cloud'
import { allocationsOf } from './compute/server-allocation'
import { capacityOf, usedOf } from './placement/placement-state'
import { startOpenStack } from './start-openstack'

const startAt = new Date('2026-11-21T12:00:00Z')

const memoryWorld = (seed: number): World =>
  createWorld({ fleet: demoFleet({ seed, startAt }), seed, startAt, openHost: createMemoryHost })

const flat = (allocations: Map<string, Map<string, number>>): unknown =>
  [...allocations].map(([uuid, resources]) => [uuid, [...resources].sort()]).sort()

/** Sentences about everything that is inconsistent. */
const disagreements = (cloud: Cloud, world: World): string[] => {
  const found: string[] = []
  const guests = new Map<string, string>()
  const migrating = new Set(
    cloud.nova.migrations.filter(({ status }) => status === 'running').map(({ serverUuid }) => serverUuid),
  )
  for (const { living } of world.hosts) {
    const spec = living.spec()
    for (const guest of spec.guests) {
      if (guest.nova === null || migrating.has(guest.uuid)) continue
      guests.set(guest.uuid, living.name)
      const server = cloud.nova.servers.get(guest.uuid)
      if (server?.host !== living.name)
        found.push(`${guest.name} runs on ${living.name}, Nova reports ${server?.host}`)
      const isOff = guest.state === 'shutoff'
      if (server !== undefined && (server.status === 'SHUTOFF') !== isOff)
        found.push(`${guest.name} is ${server.status}`)
      const held = cloud.placement.consumers.get(guest.uuid)?.allocations ?? new Map()
      if (JSON.stringify(flat(held)) !== JSON.stringify(flat(allocationsOf(cloud, spec, guest)))) {
        found.push(`${guest.name} on ${living.name} holds something else`)
      }
    }
  }
  for (const uuid of cloud.nova.servers.keys()) {
    if (!guests.has(uuid) && !migrating.has(uuid)) found.push(`server ${uuid} has no guest`)
  }
  for (const consumer of cloud.placement.consumers.values()) {
    if (consumer.type === 'INSTANCE' && !cloud.nova.servers.has(consumer.uuid))
      found.push(`${consumer.uuid} has no server`)
  }
  for (const provider of cloud.placement.providers.values()) {
    for (const [name, used] of usedOf(cloud.placement, provider.uuid)) {
      const inventory = provider.inventories.get(name)
      if (inventory === undefined || used > capacityOf(inventory))
        found.push(`${provider.name} has ${used} ${name}`)
    }
  }
  return found
}

it('keeps guests, servers and allocations together over hours of the demo', async () => {
  const world = memoryWorld(11)
  const openstack = await startOpenStack({ world, region: DEMO_CLOUD.region })
  try {
    expect(disagreements(openstack.cloud, world)).toEqual([])
    for (let step = 0; step < 12; step += 1) {
      world.advance(5 * 60_000 + 1234)
      expect(disagreements(openstack.cloud, world), `after step ${step}`).toEqual([])
    }
    expect(openstack.cloud.nova.migrations.some(({ status }) => status === 'completed')).toBe(true)
    const isMigrating = (): boolean =>
      openstack.cloud.nova.migrations.some(({ status }) => status === 'running')
    for (let step = 0; step < 2000 && !isMigrating(); step += 1) world.advance(1000)
    expect(isMigrating()).toBe(true)
    openstack.controls.heal()
    world.advance(8000)
    expect(disagreements(openstack.cloud, world), 'healed during a migration').toEqual([])
  } finally {
    await openstack.stop()
  }
}, 60_000)

it('leaves a closed host to the person who closed it', async () => {
  const world = memoryWorld(4)
  const openstack = await startOpenStack({ world, region: DEMO_CLOUD.region })
  const closed = ['cmp-r2-07', 'cmp-r2-08', 'cmp-r4-01']
  const specs = () =>
    world.hosts
      .filter(({ living }) => closed.includes(living.name))
      .map(({ living }) => ({ ...living.spec(), measuredAtMs: null }))
  try {
    for (const host of closed) openstack.controls.disableService({ host })
    // A migration that was under way may still arrive.
    world.advance(10_000)
    const before = specs()
    world.advance(30 * 60_000)
    expect(specs()).toEqual(before)
    for (const host of closed) openstack.controls.enableService({ host })
    world.advance(30 * 60_000)
    expect(specs()).not.toEqual(before)
  } finally {
    await openstack.stop()
  }
}, 60_000)
