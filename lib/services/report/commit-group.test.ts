import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHostMemory } from '@/lib/domain/host/host-memory'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database } from '@/lib/server/database/database'
import { readTestDatabaseUrl } from '@/lib/server/env'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { signal } from '@/lib/services/testing/signal'
import { whoWaits } from '@/lib/services/testing/waiting'
import { commitGroup } from './commit-group'
import { createCredentialUses } from './credential-uses'
import type { AgentActor, GroupMember } from './group-member'
import { createHostStateCache } from './host-state-cache'
import { createReportReader } from './report-reader'
import { createRowBuilder } from './row-builder'
import { dumpHost, enrolledActors, heartbeatMember, reportMember } from './testing/direct-ingest'
import { createTypeRegistry } from './type-registry'

let database: Database
let cloudId: number
let hosts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})
afterAll(() => database.close())

const base = t4SeedHost()
const other: Inventory = { ...base, host: { ...base.host, osName: 'other' } }
/** The one guest has gone, and its mdev is spare. */
const empty: Inventory = { ...base, guests: [] }

const isOnPostgres = readTestDatabaseUrl() !== null

/** A console, with all that it keeps between reports, and the ways by which its groups were written. */
const createConsole = () => {
  const ways: string[] = []
  const told: Database = {
    ...database,
    transaction: (work) => {
      ways.push('locked')
      return database.transaction(work)
    },
    pipeline: (writes) => {
      ways.push('at once')
      return database.pipeline(writes)
    },
  }
  const cache = createHostStateCache()
  const uses = createCredentialUses()
  const keeping = {
    reader: createReportReader(),
    memory: createHostMemory(),
    buildRows: createRowBuilder(createTypeRegistry(database.query)),
  }
  const commit = async (members: readonly GroupMember[]) => {
    const outcomes = await commitGroup({ database: told, cache, uses, members, now: () => new Date() })
    return members.map((member) => outcomes.get(member)?.kind)
  }
  const report = (actor: AgentActor, sequence: number, inventory = base, from: Inventory | null = null) =>
    reportMember(keeping, { actor, inventory, position: { boot: 1, sequence }, base: from })
  return { ways, commit, report }
}

const beat = (actor: AgentActor, sequence: number, inventory = base) =>
  heartbeatMember(actor, { boot: 1, sequence }, inventory)

let one: AgentActor
let two: AgentActor
/** Two hosts that nobody knows. */
const begin = async () => {
  hosts += 2
  const [first, second] = await enrolledActors(database, cloudId, [`cmp-${hosts}`, `cmp-${hosts + 1}`])
  if (first === undefined || second === undefined) throw new Error('two hosts were enrolled')
  one = first
  two = second
}
beforeEach(begin)

/** A console that has just written both hosts. */
const knowingBoth = async () => {
  const console = createConsole()
  expect(await console.commit([await console.report(one, 1), await console.report(two, 1)])).toEqual([
    'applied',
    'applied',
  ])
  return console
}

const present = async ({ hostId }: AgentActor) => {
  const { history: _, guestHistory: _guests, stretches: _watched, ...rest } = await dumpHost(database, hostId)
  return rest
}

test('groups of hosts that the console wrote last go at once: reports, heartbeats, late ones and doubles', async () => {
  const console = await knowingBoth()
  expect(await console.commit([await console.report(one, 2, other), beat(two, 2)])).toEqual([
    'applied',
    'applied',
  ])
  const group = [
    await console.report(one, 4),
    await console.report(one, 3, other),
    await console.report(one, 2),
    beat(two, 2),
    beat(two, 3, other),
  ]
  expect(await console.commit(group)).toEqual(['applied', 'applied', 'late', 'late', 'conflict'])
  expect(await console.commit([beat(one, 4), beat(two, 2)])).toEqual(['late', 'late'])
  expect(console.ways).toEqual(['locked', 'at once', 'at once', 'at once'])
  const fresh = createConsole()
  expect(await fresh.commit([await fresh.report(two, 3)])).toEqual(['applied'])
  const [stored, orderly] = [await present(one), await present(two)]
  expect(stored.host).toMatchObject({ boot: 1, sequence: 4, osName: base.host.osName })
  expect({ ...stored, host: null }).toEqual({ ...orderly, host: null })
})

test('a group with a host that is not known goes the locked way, and the host is known from then on', async () => {
  const console = createConsole()
  await console.commit([await console.report(one, 1)])
  await console.commit([await console.report(one, 2), await console.report(two, 1)])
  await console.commit([beat(one, 3), beat(two, 2)])
  expect(console.ways).toEqual(['locked', 'locked', 'at once'])
})

test('what another console wrote in between counts, and is built upon', async () => {
  const [here, there] = [await knowingBoth(), createConsole()]
  await there.commit([await there.report(one, 2, other)])
  const late = await here.report(one, 2)
  const ofOlder = await here.report(two, 2, other, base)
  expect(await here.commit([late, ofOlder])).toEqual(['late', 'applied'])
  expect(here.ways).toEqual(['locked', 'at once', 'locked'])
  expect((await present(one)).host).toMatchObject({ sequence: 2, osName: 'other' })
  await there.commit([await there.report(two, 3, base)])
  await here.commit([beat(one, 3, other)])
  expect(await here.commit([await here.report(two, 4, base, other)])).toEqual(['conflict'])
  expect(await here.commit([await here.report(two, 5)])).toEqual(['applied'])
  expect((await present(two)).host).toMatchObject({ sequence: 5, osName: base.host.osName })
})

type Change = [
  what: string,
  sql: string,
  expected: { report: string; beat: string; host?: Record<string, unknown> },
]

/** All that a decision looks at. Each is changed by itself, as another console or a person would change it. */
const CHANGES: Change[] = [
  [
    'was enrolled anew',
    'UPDATE host SET enrolment = 2 WHERE id = $1',
    { report: 'revoked', beat: 'revoked' },
  ],
  ['reported after a new start', 'UPDATE host SET boot = 2 WHERE id = $1', { report: 'late', beat: 'late' }],
  ['reported later', 'UPDATE host SET sequence = 9 WHERE id = $1', { report: 'late', beat: 'late' }],
  ['lost its digest', 'UPDATE host SET digest = NULL WHERE id = $1', { report: 'applied', beat: 'conflict' }],
  [
    'has other rows at the next version',
    `WITH gone AS (DELETE FROM pgpu WHERE host_id = $1) UPDATE host SET applied_reports = applied_reports + 1 WHERE id = $1`,
    { report: 'applied', beat: 'applied' },
  ],
  [
    'is watched since earlier',
    `UPDATE host SET watched_since = '2025-12-01T00:00:00Z' WHERE id = $1`,
    { report: 'applied', beat: 'applied', host: { watchedSince: '2025-12-01T00:00:00+00:00' } },
  ],
  [
    'has a later moment in its history',
    `UPDATE host SET watched_at = '2026-01-01T00:01:00Z' WHERE id = $1`,
    { report: 'applied', beat: 'applied', host: { watchedAt: '2026-01-01T00:01:00+00:00' } },
  ],
  [
    'has a revoked credential',
    'UPDATE agent_credential SET revoked_at = now() WHERE host_id = $1',
    { report: 'revoked', beat: 'revoked' },
  ],
  [
    'has another credential',
    'UPDATE agent_credential SET id = id + 100000 WHERE host_id = $1',
    { report: 'revoked', beat: 'revoked' },
  ],
  ['was removed', 'DELETE FROM host WHERE id = $1', { report: 'revoked', beat: 'revoked' }],
]

test.each(CHANGES)('a host that %s is not written as it is known', async (_, sql, expected) => {
  for (const kind of ['report', 'beat'] as const) {
    const console = await knowingBoth()
    await database.query(sql, [one.hostId])
    const before = await present(one)
    const told = kind === 'report' ? await console.report(one, 2) : beat(one, 2)
    expect(await console.commit([told, beat(two, 2)])).toEqual([expected[kind], 'applied'])
    expect(console.ways).toEqual(['locked', 'at once', 'locked'])
    const after = await present(one)
    if (expected[kind] === 'applied') {
      expect(after.host).toMatchObject({ sequence: 2, ...expected.host })
      if (kind === 'report') expect(after.pgpus).toHaveLength(base.gpus.length)
    } else expect(after).toEqual(before)
    await begin()
  }
})

test('a late message is refused when its credential was revoked, as any other', async () => {
  const console = await knowingBoth()
  await database.query('UPDATE agent_credential SET revoked_at = now() WHERE host_id = $1', [one.hostId])
  expect(await console.commit([beat(one, 1), beat(two, 1)])).toEqual(['revoked', 'late'])
  expect(console.ways).toEqual(['locked', 'at once', 'locked'])
})

test('a host that lost its digest is asked for a report, which then counts', async () => {
  const console = await knowingBoth()
  await database.query('UPDATE host SET digest = NULL WHERE id = $1', [one.hostId])
  expect(await console.commit([beat(one, 2)])).toEqual(['conflict'])
  expect(await console.commit([await console.report(one, 3)])).toEqual(['applied'])
})

test('a group that fails at once leaves nothing of itself, and the console goes on', async () => {
  const console = await knowingBoth()
  const before = await Promise.all([present(one), present(two)])
  const good = await console.report(one, 2, other)
  const bad = await console.report(two, 2, other)
  const poisoned = { ...bad, rows: { ...bad.rows, problems: [['somewhere', 'io', 'half \0 a text']] } }
  await expect(console.commit([good, poisoned])).rejects.toThrow()
  expect(console.ways).toEqual(['locked', 'at once'])
  expect(await Promise.all([present(one), present(two)])).toEqual(before)
  expect(await console.commit([good, bad])).toEqual(['applied', 'applied'])
  expect(console.ways).toEqual(['locked', 'at once', 'at once'])
})

test('where hosts report to two consoles by turns, fewer and fewer groups are tried at once', async () => {
  const [here, there] = [await knowingBoth(), createConsole()]
  let sequence = 1
  for (let turn = 0; turn < 14; turn += 1)
    for (const console of [there, here]) {
      sequence += 1
      expect(await console.commit([beat(one, sequence)])).toEqual(['applied'])
    }
  expect(here.ways.filter((way) => way === 'at once').length).toBeLessThan(5)
})

const RETIRE = `UPDATE pgpu_point SET digest = digest || int4send(id), retired_before = 0`

const numbersOf = async ({ hostId }: AgentActor) => {
  const rows = await database.query<{ sequence: number; used: number | null; id: number }>(
    `SELECT c.sequence, p.used, c.point_id AS id FROM pgpu_change c JOIN pgpu_point p ON p.id = c.point_id
     WHERE c.host_id = $1 AND c.sequence > 1 ORDER BY c.sequence`,
    [hostId],
  )
  return rows.map(({ sequence, used, id }) => ({ told: [sequence, used], id }))
}

test('the history has its numbers from the console, and new ones where those it knows are gone', async () => {
  const console = await knowingBoth()
  const next = async (sequence: number, inventory: Inventory, before: Inventory) =>
    console.commit([await console.report(one, sequence, inventory, before)])
  await next(2, empty, base)
  await next(3, base, empty)
  await next(4, empty, base)
  expect(console.ways).toEqual(['locked', 'at once', 'at once', 'at once'])
  await database.query(RETIRE)
  expect(await next(5, base, empty)).toEqual(['applied'])
  expect(console.ways.slice(4)).toEqual(['at once', 'locked'])
  await next(6, empty, base)
  expect(await next(7, base, empty)).toEqual(['applied'])
  expect(console.ways.slice(6)).toEqual(['at once', 'at once'])
  const stored = await numbersOf(one)
  expect(stored.map(({ told }) => told)).toEqual([
    [2, 0],
    [3, 1],
    [4, 0],
    [5, 1],
    [6, 0],
    [7, 1],
  ])
  const ids = stored.map(({ id }) => id)
  expect([ids[2], ids[4], ids[5]]).toEqual([ids[0], expect.any(Number), ids[3]])
  expect(ids[4]).toBeGreaterThan(ids[0] ?? 0)
  expect(ids[3]).toBeGreaterThan(ids[1] ?? 0)
})

test('a group that goes at once marks its cloud once, from its earliest row on', async () => {
  const marks = () =>
    database.query<{ at: Date }>('DELETE FROM roll_up_mark WHERE cloud_id = $1 RETURNING at', [cloudId])
  const console = await knowingBoth()
  await marks()
  const late = await console.report(one, 2, empty, base)
  const early = { ...(await console.report(two, 2, empty, base)), at: late.at + 60_000 }
  await console.commit([{ ...late, at: late.at + 90_000 }, early])
  expect(console.ways).toEqual(['locked', 'at once'])
  expect(await marks()).toEqual([{ at: new Date(early.at) }])
  await console.commit([beat(one, 3, empty), beat(two, 3, empty)])
  expect(await marks()).toEqual([])
  const locking = createConsole()
  await locking.commit([await locking.report(one, 4)])
  // One for pGPUs and one for guests.
  expect(await marks()).toHaveLength(2)
})

test.runIf(isOnPostgres)(
  'a group of reports, heartbeats and late ones locks its hosts by their ids',
  async () => {
    const console = await knowingBoth()
    for (const members of [
      async () => [await console.report(one, 2, other), beat(two, 2)],
      async () => [beat(one, 1), await console.report(two, 3, other)],
      async () => [await console.report(one, 4), beat(two, 2, other)],
    ]) {
      const [holdsOne, wantsTwo] = [signal(), signal()]
      // As a reading of the cloud does.
      const there = database.transaction(async (query) => {
        await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE', [one.hostId])
        holdsOne.give()
        await wantsTwo.given
        await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [two.hostId])
      })
      await holdsOne.given
      const here = console.commit(await members())
      await expect.poll(() => whoWaits(database.query)).not.toEqual([])
      wantsTwo.give()
      await there
      await here
    }
    expect(console.ways).toEqual(['locked', 'at once', 'at once', 'at once'])
  },
)

test.runIf(isOnPostgres)(
  'what waits while its credential is revoked writes nothing, known or not',
  async () => {
    for (const console of [await knowingBoth(), createConsole()]) {
      const before = await present(one)
      const [holds, mayEnd] = [signal(), signal()]
      const revoking = database.transaction(async (query) => {
        await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE', [one.hostId])
        await query('UPDATE agent_credential SET revoked_at = now() WHERE id = $1', [one.credentialId])
        holds.give()
        await mayEnd.given
      })
      await holds.given
      const here = console.commit([await console.report(one, 7, other)])
      await expect.poll(() => whoWaits(database.query)).not.toEqual([])
      mayEnd.give()
      await revoking
      expect(await here).toEqual(['revoked'])
      expect(await present(one)).toEqual(before)
      await begin()
    }
  },
)

test.runIf(isOnPostgres)('two consoles that wait for each other both get their reports written', async () => {
  const console = await knowingBoth()
  const [holdsTwo, wantsOne] = [signal(), signal()]
  const there = database.transaction(async (query) => {
    await query('SELECT 1 FROM host WHERE id = $1 FOR UPDATE', [two.hostId])
    holdsTwo.give()
    await wantsOne.given
    await query('SELECT 1 FROM host WHERE id = $1 FOR UPDATE', [one.hostId])
  })
  await holdsTwo.given
  const here = console.commit([await console.report(one, 2, other), await console.report(two, 2, other)])
  await expect.poll(() => whoWaits(database.query)).not.toEqual([])
  // The circle is closed, and whoever has waited for longer finds it out first.
  wantsOne.give()
  await there
  expect(await here).toEqual(['applied', 'applied'])
  expect(console.ways).toEqual(['locked', 'at once', 'locked'])
})
