import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFleetSnapshot } from '@/lib/services/fleet/fleet-snapshot'
import { createFleetView } from '@/lib/services/fleet/fleet-view'
import { readSilence } from '@/lib/services/fleet/read-silence'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { createHostList } from './host-list'

const world = createServiceWorld()

/** Who is silent when the limit lies at a moment. */
const silenceAt = (cloud: { id: number }, silentBeforeMs: number) => {
  const [database, now] = [world.database(), () => new Date(silentBeforeMs)]
  return readSilence({ database, now, silentAfterSeconds: 0 }, cloud)
}

const newList = async () => {
  const cloud = await world.newCloud()
  const { query } = world.database()
  const snapshot = createFleetSnapshot({ query, cloud, longestRestMs: 0 })
  const cached = createHostList({ query, cloud })
  const ask = async (list: typeof cached, silentBeforeMs: number) =>
    list(createFleetView(await snapshot.current(), await silenceAt(cloud, silentBeforeMs)))
  return {
    cloud,
    keep: (silentBeforeMs = 0) => ask(cached, silentBeforeMs),
    rebuilt: (silentBeforeMs = 0) => ask(createHostList({ query, cloud }), silentBeforeMs),
    write: (name: string, row: { guestCount?: number; seenMs?: number | null; used?: number } = {}) =>
      writeHost(world.database(), {
        cloudId: cloud.id,
        name,
        guestCount: row.guestCount ?? 0,
        seenAt: row.seenMs === null ? null : new Date(row.seenMs ?? NOW.getTime()),
        pgpus: [{ address: '0000:18:00.0', capacity: 4, used: row.used ?? 0 }],
      }),
    remove: (name: string) => query('DELETE FROM host WHERE cloud_id = $1 AND name = $2', [cloud.id, name]),
    hear: (name: string, seenMs: number) =>
      query('UPDATE host SET seen_at = $3 WHERE cloud_id = $1 AND name = $2', [
        cloud.id,
        name,
        new Date(seenMs),
      ]),
  }
}

const hostsIn = ({ identity }: { identity: Buffer }): { name: string; used: number; isSilent: boolean }[] =>
  JSON.parse(identity.toString()).hosts

test('nothing changed: the same bytes, the same version; they are those of a console that just started', async () => {
  const { write, keep, rebuilt } = await newList()
  await write('cmp-1')
  const first = await keep()
  expect(await keep()).toBe(first)
  const other = await rebuilt()
  expect(other).not.toBe(first)
  expect([other.version, other.identity]).toEqual([first.version, first.identity])
})

test('a host that replaces a removed one at the same time is seen', async () => {
  const { write, remove, keep } = await newList()
  await write('cmp-1')
  await write('cmp-2')
  await keep()
  await remove('cmp-2')
  await write('cmp-3')
  expect(hostsIn(await keep()).map(({ name }) => name)).toEqual(['cmp-1', 'cmp-3'])
})

test('a heartbeat that is older than the newest one is seen', async () => {
  const { write, hear, keep, rebuilt } = await newList()
  await write('cmp-1', { seenMs: 1000 })
  await write('cmp-2', { seenMs: 9000 })
  const before = await keep()
  await hear('cmp-1', 2000)
  expect((await keep()).version).not.toBe(before.version)
  expect((await keep()).identity).toEqual((await rebuilt()).identity)
})

test('a host that becomes silent is listed as silent, although no row changes', async () => {
  const { write, keep } = await newList()
  await write('cmp-1', { seenMs: 1000 })
  await write('cmp-2', { seenMs: 2000 })
  await write('cmp-3', { seenMs: null })
  const silentAt = async (silentBeforeMs: number) =>
    hostsIn(await keep(silentBeforeMs)).map(({ isSilent }) => isSilent)
  expect(await silentAt(500)).toEqual([false, false, true])
  const first = await keep(500)
  expect(await keep(1000)).toBe(first)
  expect(await silentAt(1001)).toEqual([true, false, true])
  const second = await keep(1001)
  expect(await keep(2000)).toBe(second)
  expect(await silentAt(2001)).toEqual([true, true, true])
  expect(await silentAt(1000)).toEqual([false, false, true])
})

test('cards of a fleet that is read later than its hosts are listed once they are read', async () => {
  const { cloud, write, keep } = await newList()
  const { query } = world.database()
  await write('cmp-1', { used: 1 })
  const snapshot = createFleetSnapshot({ query, cloud, longestRestMs: 0 })
  const list = createHostList({ query, cloud })
  const early = await snapshot.current()
  await write('cmp-1', { used: 2 })
  const usedIn = async (fleet: typeof early) =>
    hostsIn(await list(createFleetView(fleet, await silenceAt(cloud, 0)))).map(({ used }) => used)
  expect(await usedIn(early)).toEqual([1])
  expect(await usedIn(await snapshot.current())).toEqual([2])
  expect(hostsIn(await keep())).toMatchObject([{ used: 2 }])
})

const anyStep = fc.record({
  name: fc.constantFrom('cmp-1', 'cmp-2', 'cmp-3'),
  does: fc.constantFrom('write', 'remove', 'hear'),
  seenMs: fc.integer({ min: 1, max: 9 }),
  guestCount: fc.nat(2),
  used: fc.nat(2),
  silentBeforeMs: fc.nat(10),
})

test('after any changes and at any time a kept list equals one that is recreated', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
      const { write, remove, hear, keep, rebuilt } = await newList()
      for (const { name, does, silentBeforeMs, ...row } of steps) {
        if (does === 'write') await write(name, row)
        else if (does === 'remove') await remove(name)
        else await hear(name, row.seenMs)
        const [cached, made] = [await keep(silentBeforeMs), await rebuilt(silentBeforeMs)]
        expect(cached.identity.toString()).toBe(made.identity.toString())
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)
