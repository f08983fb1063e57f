import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { a100SlidesHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { AgentActor } from './group-member'
import { enrolledActor } from './testing/direct-ingest'
import { createTestConsole, type Delivery, type TestConsole } from './testing/test-console'

let database: Database
let cloudId: number
let hosts = 0
let actor: AgentActor
let console: TestConsole

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})

afterAll(() => database.close())

beforeEach(async () => {
  hosts += 1
  actor = await enrolledActor(database, cloudId, `cmp-${hosts}`)
  console = createTestConsole(database)
})

const START = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const at = (minutes: number) => new Date(START + minutes * MINUTE)
const minutesOf = (date: Date | null) => (date === null ? null : (date.getTime() - START) / MINUTE)
const here = (inventory: Inventory): Inventory => ({
  ...inventory,
  host: { ...inventory.host, name: actor.hostName },
})

type Saying = Partial<Delivery> & { boot?: number; sequence: number; minute: number; watchedMinutes?: number }

/** A message of a host with a correct clock, received when it is sent unless specified otherwise. */
const saying = ({ boot = 1, sequence, minute, watchedMinutes, ...stored }: Saying): Delivery => ({
  actor,
  receivedAt: at(minute),
  takenAt: at(minute),
  sentAt: stored.receivedAt ?? at(minute),
  ...(watchedMinutes === undefined ? {} : { watched: { forMs: watchedMinutes * MINUTE, agoMs: 0 } }),
  ...stored,
  position: { boot, sequence },
  inventory: here(stored.inventory ?? t4SeedHost()),
})

const say = async (...sayings: Saying[]) => {
  expect(await console.deliver(sayings.map(saying))).toEqual(sayings.map(() => true))
}

const beat = (sayings: Saying): Saying => ({ takenAt: null, ...sayings })

/** Stretches as [since, until] in minutes; the last one has not ended. */
const stretches = async () => {
  const ended = await database.prisma.hostWatch.findMany({
    where: { hostId: actor.hostId },
    orderBy: [{ since: 'asc' }, { until: 'asc' }],
  })
  const host = await database.prisma.host.findUniqueOrThrow({ where: { id: actor.hostId } })
  return [
    ...ended.map(({ since, until }) => [minutesOf(since), minutesOf(until)]),
    [minutesOf(host.watchedSince), minutesOf(host.watchedAt)],
  ]
}

const used = async () => {
  const rows = await database.query(
    `SELECT at, used FROM pgpu_history WHERE host_id = $1 AND address = '0000:f4:00.0' ORDER BY at, sequence`,
    [actor.hostId],
    anyRow<{ at: Date; used: number | null }>(),
  )
  return rows.map((row) => [minutesOf(row.at), row.used])
}

const guests = async () => {
  const rows = await database.query(
    'SELECT at, name, addresses, type_ids AS "typeIds" FROM guest_history WHERE host_id = $1 ORDER BY at, uuid',
    [actor.hostId],
    anyRow<{ at: Date; name: string; addresses: string[]; typeIds: string[] }>(),
  )
  return rows.map((row) => [minutesOf(row.at), row.name, row.addresses, row.typeIds])
}

const empty = { ...t4SeedHost(), guests: [], mdevs: [] }

test('a restart of the agent is a gap from its last sign of life to the first scan of the new start', async () => {
  await say({ sequence: 1, minute: 0 })
  await say(beat({ sequence: 2, minute: 1, watchedMinutes: 1 }))
  await say(beat({ boot: 2, sequence: 1, minute: 4, watchedMinutes: 1 }))
  expect(await stretches()).toEqual([
    [0, 1],
    [3, 4],
  ])
})

test('silence of an agent that reports nothing of its scans is a gap after five minutes', async () => {
  await say({ sequence: 1, minute: 0 }, beat({ sequence: 2, minute: 5 }), beat({ sequence: 3, minute: 10.1 }))
  expect(await stretches()).toEqual([
    [0, 5],
    [10.1, 10.1],
  ])
})

test('an agent that was suspended reports it, and the time is a gap', async () => {
  await say({ sequence: 1, minute: 0, watchedMinutes: 0 })
  await say(beat({ sequence: 2, minute: 30, watchedMinutes: 2 }))
  expect(await stretches()).toEqual([
    [0, 0],
    [28, 30],
  ])
})

test('an outage of the console is no gap where the agent scanned on, and its reports count when they were taken', async () => {
  await say({ sequence: 1, minute: 0, watchedMinutes: 0 })
  const receivedAt = at(90)
  await say(
    { sequence: 2, minute: 20, watchedMinutes: 20, inventory: empty, receivedAt },
    { sequence: 3, minute: 70, watchedMinutes: 70, receivedAt },
  )
  await say(beat({ sequence: 4, minute: 90, watchedMinutes: 90 }))
  expect(await stretches()).toEqual([[0, 90]])
  expect(await used()).toEqual([
    [0, 1],
    [20, 0],
    [70, 1],
  ])
})

test('the same outage with an agent that does not say so is a gap', async () => {
  await say({ sequence: 1, minute: 0 }, { sequence: 2, minute: 20, inventory: empty, receivedAt: at(90) })
  expect(await stretches()).toEqual([
    [0, 0],
    [20, 20],
  ])
})

test('the first message of a start reports its scans before: the stretch begins with them, never before the last', async () => {
  await say({ sequence: 1, minute: 0, watchedMinutes: 0 })
  await say(beat({ boot: 2, sequence: 9, minute: 60, watchedMinutes: 50 }))
  await say(beat({ boot: 3, sequence: 1, minute: 70, watchedMinutes: 60 }))
  expect(await stretches()).toEqual([
    [0, 0],
    [10, 60],
    [60, 70],
  ])
})

test.each([-20, 20])('a clock that is off by %d minutes does not show', async (off) => {
  const clock = (minute: number) => ({ takenAt: at(minute + off), sentAt: at(minute + off) })
  await say({ sequence: 1, minute: 0, ...clock(0), watchedMinutes: 0 })
  await say({ sequence: 2, minute: 1, ...clock(1), inventory: empty, watchedMinutes: 1 })
  const waited = { takenAt: at(2 + off), sentAt: at(9 + off), receivedAt: at(9) }
  await say({ sequence: 3, minute: 9, ...waited, watchedMinutes: 2 })
  expect(await used()).toEqual([
    [0, 1],
    [1, 0],
    [2, 1],
  ])
  expect(await stretches()).toEqual([[0, 2]])
})

test('a time that a host sets back, or that lies in our future, bends nothing', async () => {
  await say({ sequence: 1, minute: 0 })
  await say({ sequence: 2, minute: 3, takenAt: at(-500), sentAt: null, inventory: empty })
  await say({ sequence: 3, minute: 4, takenAt: at(500), sentAt: null })
  expect(await used()).toEqual([
    [0, 1],
    [0, 0],
    [4, 1],
  ])
  expect(await stretches()).toEqual([[0, 4]])
})

test('another console continues from what is stored', async () => {
  await say({ sequence: 1, minute: 0, watchedMinutes: 0 })
  console = createTestConsole(database)
  await say(beat({ sequence: 2, minute: 30, watchedMinutes: 30 }))
  console = createTestConsole(database)
  await say({ sequence: 3, minute: 60, watchedMinutes: 60 })
  expect(await stretches()).toEqual([[0, 60]])
  expect([await used(), await guests()].map((rows) => rows.length)).toEqual([1, 1])
})

test('a new enrolment ends the stretch and keeps the history', async () => {
  await say({ sequence: 7, minute: 0 }, beat({ sequence: 8, minute: 1 }))
  await database.query('UPDATE host SET enrolment = 2, boot = 0, sequence = 0, digest = NULL WHERE id = $1', [
    actor.hostId,
  ])
  await database.query('UPDATE agent_credential SET enrolment = 2 WHERE host_id = $1', [actor.hostId])
  actor = { ...actor, enrolment: 2 }
  await say({ sequence: 1, minute: 2, inventory: empty })
  expect(await stretches()).toEqual([
    [0, 1],
    [2, 2],
  ])
  expect(await used()).toEqual([
    [0, 1],
    [2, 0],
  ])
})

test('a change carries the name of its type and the model; a type that is only named otherwise is none', async () => {
  const base = t4SeedHost()
  const renamed = base.vgpuTypes.map((type) => ({
    ...type,
    name: type.name?.replace('GRID', 'NVIDIA') ?? null,
  }))
  await say(
    { sequence: 1, minute: 0 },
    { sequence: 2, minute: 1, inventory: { ...base, vgpuTypes: renamed } },
  )
  const rows = await database.query(
    `SELECT type_id AS "typeId", type_name AS "typeName", model FROM pgpu_history
     WHERE host_id = $1 AND address = '0000:f4:00.0'`,
    [actor.hostId],
  )
  expect(rows).toMatchObject([{ typeId: 'nvidia-321', typeName: 'T4-16C', model: 'NVIDIA Tesla T4' }])
})

const [guest] = t4SeedHost().guests ?? []
const [mdev] = t4SeedHost().mdevs ?? []
if (guest === undefined || mdev === undefined) throw new Error('the fixture has a guest with an mdev')
const withGuest = (changed: Partial<typeof guest>, parent = mdev.parent): Inventory => ({
  ...t4SeedHost(),
  mdevs: [{ ...mdev, parent }],
  guests: [{ ...guest, ...changed }],
})
const NOVA = {
  serverName: 'trainer',
  flavorName: 'small',
  projectId: 'p1',
  projectName: 'lab',
  userId: null,
  userName: null,
}

test('a guest that comes, moves, changes its flavor and goes has a row for each, and none for being shut off', async () => {
  await say(
    { sequence: 1, minute: 0, inventory: empty },
    { sequence: 2, minute: 1, inventory: withGuest({ nova: NOVA }) },
    { sequence: 3, minute: 2, inventory: withGuest({ nova: NOVA, state: 'shutoff' }) },
    { sequence: 4, minute: 3, inventory: withGuest({ nova: NOVA }, '0000:18:00.0') },
    {
      sequence: 5,
      minute: 4,
      inventory: withGuest({ nova: { ...NOVA, flavorName: 'big' } }, '0000:18:00.0'),
    },
    { sequence: 6, minute: 5, inventory: empty },
  )
  expect(await guests()).toEqual([
    [1, 'trainer', ['0000:f4:00.0'], ['nvidia-321']],
    [3, 'trainer', ['0000:18:00.0'], ['nvidia-321']],
    [4, 'trainer', ['0000:18:00.0'], ['nvidia-321']],
    [5, 'trainer', [], []],
  ])
})

test('guests and mdevs that could not be read change nothing, also over a restart of the console', async () => {
  const file = { source: '/etc/libvirt/qemu/instance-00000004.xml', code: 'io' as const, message: 'torn' }
  const unread = [
    { ...t4SeedHost(), guests: null },
    { ...t4SeedHost(), mdevs: null },
    { ...t4SeedHost(), guests: [], problems: [file] },
  ]
  await say({ sequence: 1, minute: 0 })
  for (const [index, inventory] of unread.entries()) {
    await say({ sequence: 2 * index + 2, minute: 2 * index + 1, inventory })
    console = createTestConsole(database)
    await say({ sequence: 2 * index + 3, minute: 2 * index + 2 })
  }
  expect(await guests()).toHaveLength(1)
})

test('each vGPU and each whole card is listed, equal ones as often as they occur', async () => {
  await say({ sequence: 1, minute: 0, inventory: a100SlidesHost() })
  const stored = await guests()
  expect(stored.length).toBeGreaterThan(1)
  const [first] = await database.query(
    'SELECT address, used FROM pgpu_history WHERE host_id = $1 ORDER BY at, address LIMIT 1',
    [actor.hostId],
    anyRow<{ address: string; used: number }>(),
  )
  const held = stored.flatMap(([, , addresses]) => addresses as string[])
  expect(held.filter((address) => address === first?.address)).toHaveLength(first?.used ?? -1)
})

test('a guest with a VF of vendor VFIO holds a vGPU of its type', async () => {
  await say({ sequence: 1, minute: 0, inventory: vendorVfioHost() })
  const stored = await guests()
  expect(stored.length).toBeGreaterThan(0)
  for (const [, , addresses, typeIds] of stored) {
    expect((typeIds as string[]).every((typeId) => typeId.startsWith('nvidia-'))).toBe(true)
    expect((addresses as string[]).length).toBe((typeIds as string[]).length)
  }
})
