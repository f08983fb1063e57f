import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { deviceChoices } from '@/simulator/host/choose-device'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { treeOnDisk } from '@/simulator/testing/tree-on-disk'
import { createTestWorld, type TestWorld } from '@/simulator/testing/world'
import { gpuGuests, hostCapacity, idleVgpus } from './host-use'
import { settledWorld } from './open-world'
import { createWorld, type World } from './world'

const startAt = new Date('2026-11-21T12:00:00Z')
const HOUR = 3_600_000

const memoryWorld = (seed: number, events: string[] = []): World =>
  createWorld({
    fleet: demoFleet({ seed, startAt }),
    seed,
    startAt,
    openHost: createMemoryHost,
    onEvent: (sentence) => events.push(sentence),
  })

const sums = (world: World) =>
  world.hosts.reduce(
    (sum, host) => {
      const spec = host.living.spec()
      const idle = idleVgpus(spec, host.fleet.plan)
      return {
        capacity: sum.capacity + hostCapacity(spec, host.fleet.plan),
        used: sum.used + gpuGuests(spec).length,
        spare: sum.spare + idle.filter(({ isWanted }) => isWanted).length,
        orphan: sum.orphan + idle.filter(({ isWanted }) => !isWanted).length,
      }
    },
    { capacity: 0, used: 0, spare: 0, orphan: 0 },
  )

/** Every device of a guest is there, and belongs to one guest only. */
const expectSound = (world: World): void => {
  for (const { living, fleet } of world.hosts) {
    const spec = living.spec()
    const held = spec.guests.flatMap((guest) => [...guest.mdevs, ...guest.pciDevices])
    expect(new Set(held).size, `${living.name} gives a device twice`).toBe(held.length)
    const made = new Set(spec.gpus.flatMap((gpu) => gpu.slicing?.state.vgpus.map((vgpu) => vgpu.uuid) ?? []))
    const missing = spec.guests.flatMap((guest) => guest.mdevs).filter((uuid) => !made.has(uuid))
    expect(missing, `${living.name} lost mdevs of guests`).toEqual([])
    expect(gpuGuests(spec).length).toBeLessThanOrEqual(hostCapacity(fleet.spec, fleet.plan) * 2)
  }
}

describe('the demo over a day', () => {
  it('keeps its use, spares and orphans within what is believable', () => {
    const world = memoryWorld(11)
    for (let hour = 0; hour < 24; hour += 1) {
      world.advance(HOUR)
      const { capacity, used, spare, orphan } = sums(world)
      expect(used / capacity).toBeGreaterThan(0.5)
      expect(used / capacity).toBeLessThan(0.72)
      expect(spare / capacity).toBeGreaterThan(0.02)
      expect(spare / capacity).toBeLessThan(0.16)
      expect(orphan).toBeGreaterThanOrEqual(3)
      expect(orphan).toBeLessThan(25)
      expectSound(world)
    }
  }, 60_000)

  it('shows every kind of event within an hour', () => {
    const events: string[] = []
    memoryWorld(3, events).advance(HOUR)
    for (const kind of [
      /created/,
      /deleted/,
      /shut off/,
      /is running/,
      /migrates/,
      /reboots/,
      /half written/,
      /was given/,
    ]) {
      expect(
        events.some((sentence) => kind.test(sentence)),
        String(kind),
      ).toBe(true)
    }
    // Something somewhere every few seconds.
    expect(events.length).toBeGreaterThan(600)
  })

  it('gives no two servers of one project the same name', () => {
    const world = memoryWorld(5)
    world.advance(6 * HOUR)
    const guests = world.hosts.flatMap((host) => host.living.spec().guests)
    const byUuid = new Map(guests.map((guest) => [guest.uuid, guest.nova?.serverName]))
    expect(new Set(byUuid.values()).size).toBe(byUuid.size)
  }, 60_000)
})

it('gives the same story for the same seed, however its clock is moved', () => {
  const [once, often, other] = [memoryWorld(7), memoryWorld(7), memoryWorld(8)]
  once.advance(HOUR)
  for (let step = 0; step < 600; step += 1) often.advance(HOUR / 600)
  other.advance(HOUR)
  expect(often.save()).toEqual(once.save())
  expect(other.save()).not.toEqual(once.save())
})

it('hears hosts by their nature', () => {
  const world = memoryWorld(2)
  const silent = (): string[] =>
    world.hosts.filter((host) => !world.isConnected(host)).map((host) => host.living.name)
  expect(silent()).toEqual([])
  world.advance(70_000)
  expect(silent()).toContain('cmp-r6-03')
  world.advance(250_000)
  expect(silent()).toContain('cmp-r4-02')
  world.advance(140_000)
  expect(silent()).not.toContain('cmp-r4-02')
  expect(silent()).toContain('cmp-r6-03')
})

describe('on disk', () => {
  let world: TestWorld | null = null
  afterEach(() => world?.remove())

  it('has after a while the trees that its state would give', () => {
    const small = ['cmp-r2-07', 'cmp-r6-01', 'cmp-r2-08', 'cmp-r3-01', 'cmp-r7-03']
    const fleet = demoFleet({ seed: 4, startAt }).filter((host) => small.includes(host.spec.name))
    world = createTestWorld({ fleet, seed: 4 })
    world.advance(HOUR / 4)
    for (const { living } of world.hosts) {
      const fresh = makeTemporaryDirectory('fresh-host')
      writeHostTree(fresh, living.spec())
      expect(treeOnDisk(world.rootOf(living.name)), living.name).toEqual(treeOnDisk(fresh))
      removeTree(fresh)
    }
  }, 60_000)

  it('performs what is written into a tree', () => {
    world = createTestWorld({ hostCount: 2, seed: 4 })
    const host = world.hosts.find(({ living }) => living.name === 'cmp-r4-01')
    const choices = host === undefined ? [] : deviceChoices(host.living.spec(), {})
    const slot = choices.flatMap(({ gpu }) => gpu.slicing?.state.slots.at(-1) ?? [])[0] ?? ''
    const uuid = 'c0ffee00-0000-4000-8000-0000000000ff'
    const at = `/sys/class/mdev_bus/${slot}/mdev_supported_types/nvidia-560/create`
    writeFileSync(path.join(world.rootOf('cmp-r4-01'), at), uuid)
    expect(world.applyWrites()).toBe(1)
    expect(world.applyWrites()).toBe(0)
    expect(existsSync(path.join(world.rootOf('cmp-r4-01'), '/sys/bus/mdev/devices', uuid))).toBe(true)
  })
})

it('continues from where it was saved, and only for the same hosts', () => {
  const world = memoryWorld(9)
  world.advance(HOUR)
  const fleet = demoFleet({ seed: 9, startAt })
  const saved = settledWorld(world.save(), fleet)
  expect(saved?.hosts.flatMap((spec) => spec.guests).some((guest) => guest.state === 'paused')).toBe(false)
  const later = createWorld({
    fleet,
    seed: 9,
    startAt: new Date(startAt.getTime() + HOUR),
    openHost: createMemoryHost,
    ...(saved === null ? {} : { saved }),
  })
  expect(sums(later).used).toBe(sums(world).used)
  later.advance(HOUR)
  expectSound(later)
  expect(settledWorld(world.save(), fleet.slice(1))).toBeNull()
})
