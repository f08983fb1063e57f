import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database } from '@/lib/server/database/database'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { signal } from '@/lib/services/testing/signal'
import { whoWaits } from '@/lib/services/testing/waiting'
import { commitGroup } from './commit-group'
import type { AgentActor, GroupMember } from './group-member'
import { dumpHost, enrolledActors, heartbeatMember, reportMember, startIngest } from './testing/direct-ingest'

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
/** The one guest is gone, and its mdev is spare. */
const empty: Inventory = { ...base, guests: [] }

const isOnPostgres = readTestDatabaseUrl() !== null

const commit = async (members: readonly GroupMember[]) => {
  const outcomes = await commitGroup({ database, members, now: () => new Date() })
  return members.map((member) => outcomes.get(member)?.kind)
}
const report = (actor: AgentActor, sequence: number, inventory = base) =>
  reportMember({ actor, inventory, position: { boot: 1, sequence } })
const beat = (actor: AgentActor, sequence: number, inventory = base) =>
  heartbeatMember(actor, { boot: 1, sequence }, inventory)

let one: AgentActor
let two: AgentActor
/** Two hosts that have reported. */
const begin = async () => {
  hosts += 2
  const [first, second] = await enrolledActors(database, cloudId, [`cmp-${hosts}`, `cmp-${hosts + 1}`])
  if (first === undefined || second === undefined) throw new Error('two hosts were enrolled')
  one = first
  two = second
  expect(await commit([report(one, 1), report(two, 1)])).toEqual(['applied', 'applied'])
}
beforeEach(begin)

/** What is stored of a host without its history. */
const current = async ({ hostId }: AgentActor) => {
  const { history: _, guestHistory: _guests, stretches: _watched, ...rest } = await dumpHost(database, hostId)
  return rest
}

test('the members of a group count by their positions: reports, heartbeats, late ones and doubles', async () => {
  expect(await commit([report(one, 2, other), beat(two, 2)])).toEqual(['applied', 'applied'])
  const group = [report(one, 4), report(one, 3, other), report(one, 2), beat(two, 2), beat(two, 3, other)]
  expect(await commit(group)).toEqual(['applied', 'applied', 'late', 'late', 'conflict'])
  expect(await commit([beat(one, 4), beat(two, 2)])).toEqual(['late', 'late'])
  expect(await commit([report(two, 3)])).toEqual(['applied'])
  const [stored, orderly] = [await current(one), await current(two)]
  expect(stored.host).toMatchObject({ boot: 1, sequence: 4, osName: base.host.osName })
  expect({ ...stored, host: null }).toEqual({ ...orderly, host: null })
})

type Change = [
  what: string,
  sql: string,
  expected: { report: string; beat: string; host?: Record<string, unknown> },
]

/** Everything that a decision depends on, each changed as another console or a person would change it. */
const CHANGES: Change[] = [
  [
    'was enrolled again',
    'UPDATE host SET enrolment = 2 WHERE id = $1',
    { report: 'revoked', beat: 'revoked' },
  ],
  ['reported after a new start', 'UPDATE host SET boot = 2 WHERE id = $1', { report: 'late', beat: 'late' }],
  ['reported later', 'UPDATE host SET sequence = 9 WHERE id = $1', { report: 'late', beat: 'late' }],
  ['lost its digest', 'UPDATE host SET digest = NULL WHERE id = $1', { report: 'applied', beat: 'conflict' }],
  ['lost its pGPUs', 'DELETE FROM pgpu WHERE host_id = $1', { report: 'applied', beat: 'applied' }],
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
  ['was deleted', 'DELETE FROM host WHERE id = $1', { report: 'revoked', beat: 'revoked' }],
]

test.each(CHANGES)('the row of a host that %s decides', async (_, sql, expected) => {
  for (const kind of ['report', 'beat'] as const) {
    await database.query(sql, [one.hostId])
    const before = await current(one)
    const sent = kind === 'report' ? report(one, 2) : beat(one, 2)
    expect(await commit([sent, beat(two, 2)])).toEqual([expected[kind], 'applied'])
    const after = await current(one)
    if (expected[kind] === 'applied') {
      expect(after.host).toMatchObject({ sequence: 2, ...expected.host })
      if (kind === 'report') expect(after.pgpus).toHaveLength(base.gpus.length)
    } else expect(after).toEqual(before)
    await begin()
  }
})

test('a host without a digest receives a request for a full report, which is then stored', async () => {
  await database.query('UPDATE host SET digest = NULL WHERE id = $1', [one.hostId])
  expect(await commit([beat(one, 2)])).toEqual(['conflict'])
  expect(await commit([report(one, 3)])).toEqual(['applied'])
})

test('a group that fails leaves nothing of itself', async () => {
  const before = await Promise.all([current(one), current(two)])
  const [good, bad] = [report(one, 2, other), report(two, 2, other)]
  const poisoned = { ...bad, rows: { ...bad.rows, facts: bad.rows.facts.with(2, 'half \0 a text') } }
  await expect(commit([good, poisoned])).rejects.toThrow()
  expect(await Promise.all([current(one), current(two)])).toEqual(before)
  expect(await commit([good, bad])).toEqual(['applied', 'applied'])
})

test('vGPU types are stored once for the fleet, and pGPUs refer to them in the order of the driver', async () => {
  const counts = () =>
    database.query(
      'SELECT (SELECT count(*) FROM vgpu_type)::int AS types, (SELECT count(*) FROM vgpu_type_set)::int AS sets',
      [],
      anyRow<{ types: number; sets: number }>(),
    )
  const [before] = await counts()
  const lastTypes = ['nvidia-x1', 'nvidia-x2'].map((typeId) => ({
    typeId,
    name: `GRID ${typeId}`,
    description: 'num_heads=4, framebuffer=1024M, max_instance=16',
    deviceApi: 'vfio-pci',
  }))
  const renewed: Inventory = {
    ...base,
    mdevs: [],
    guests: [],
    vgpuTypes: lastTypes,
    gpus: base.gpus.map((gpu, index) => ({
      ...gpu,
      mdevTypes:
        index === 0
          ? [
              [1, 3],
              [0, 2],
            ]
          : [[0, 2]],
    })),
  }
  expect(await commit([report(one, 2, renewed), report(two, 2, renewed)])).toEqual(['applied', 'applied'])
  expect(await counts()).toEqual([{ types: (before?.types ?? 0) + 2, sets: (before?.sets ?? 0) + 2 }])
  const stored = await database.query(
    `SELECT ARRAY(SELECT t.type_id FROM unnest(s.vgpu_type_ids) WITH ORDINALITY AS m (id, place)
       JOIN vgpu_type t ON t.id = m.id ORDER BY m.place) AS types
     FROM pgpu p JOIN vgpu_type_set s ON s.id = p.type_set_id WHERE p.host_id = $1 ORDER BY p.address`,
    [one.hostId],
    anyRow<{ types: string[] }>(),
  )
  expect(stored[0]).toEqual({ types: ['nvidia-x2', 'nvidia-x1'] })
  expect(stored[1]).toEqual({ types: ['nvidia-x1'] })
  expect(await commit([report(one, 3), report(two, 3, vendorVfioHost())])).toEqual(['applied', 'applied'])
})

const RETIRE = `UPDATE pgpu_point SET digest = digest || int4send(id), retired_before = 0`

test('the history names a point by a new number after the old one was retired', async () => {
  for (const [sequence, inventory] of [empty, base, empty].entries())
    await commit([report(one, sequence + 2, inventory)])
  await database.query(RETIRE)
  await commit([report(one, 5)])
  const rows = await database.query(
    `SELECT c.sequence, p.used, c.point_id AS id FROM pgpu_change c JOIN pgpu_point p ON p.id = c.point_id
     WHERE c.host_id = $1 AND c.sequence > 1 ORDER BY c.sequence`,
    [one.hostId],
    anyRow<{ sequence: number; used: number | null; id: number }>(),
  )
  expect(rows.map(({ sequence, used }) => [sequence, used])).toEqual([
    [2, 0],
    [3, 1],
    [4, 0],
    [5, 1],
  ])
  const ids = rows.map(({ id }) => id)
  expect(ids[2]).toBe(ids[0])
  expect(ids[3]).toBeGreaterThan(ids[1] ?? 0)
})

test('a group marks its cloud for the roll-ups from its earliest row on, and heartbeats mark nothing', async () => {
  const marks = () =>
    database.query(
      'DELETE FROM roll_up_mark WHERE cloud_id = $1 RETURNING at',
      [cloudId],
      anyRow<{ at: Date }>(),
    )
  await marks()
  const late = report(one, 2, empty)
  await commit([
    { ...late, at: late.at + 90_000 },
    { ...report(two, 2, empty), at: late.at + 60_000 },
  ])
  // One for pGPUs and one for guests.
  const at = new Date(late.at + 60_000)
  expect(await marks()).toEqual([{ at }, { at }])
  await commit([beat(one, 3, empty), beat(two, 3, empty)])
  expect(await marks()).toEqual([])
})

test.runIf(isOnPostgres)('a group locks its hosts by their ids', async () => {
  for (const members of [
    () => [report(one, 2, other), beat(two, 2)],
    () => [beat(one, 1), report(two, 3, other)],
    () => [report(one, 4), beat(two, 4, other)],
  ]) {
    const [holdsOne, wantsTwo] = [signal(), signal()]
    // As a reading of the cloud does.
    const there = database.transaction(async ({ query }) => {
      await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE', [one.hostId])
      holdsOne.give()
      await wantsTwo.given
      await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [two.hostId])
    })
    await holdsOne.given
    const here = commit(members())
    await expect.poll(() => whoWaits(database.query)).not.toEqual([])
    wantsTwo.give()
    await there
    await here
  }
})

test.runIf(isOnPostgres)('what waits while its credential is revoked writes nothing', async () => {
  const before = await current(one)
  const [holds, mayEnd] = [signal(), signal()]
  const revoking = database.transaction(async ({ query }) => {
    await query('SELECT 1 FROM host WHERE id = $1 FOR NO KEY UPDATE', [one.hostId])
    await query('UPDATE agent_credential SET revoked_at = now() WHERE id = $1', [one.credentialId])
    holds.give()
    await mayEnd.given
  })
  await holds.given
  const here = commit([report(one, 7, other)])
  await expect.poll(() => whoWaits(database.query)).not.toEqual([])
  mayEnd.give()
  await revoking
  expect(await here).toEqual(['revoked'])
  expect(await current(one)).toEqual(before)
})

test.runIf(isOnPostgres)(
  'a group that the database ends because of a deadlock is written after all',
  async () => {
    const ingest = startIngest(database)
    const [holdsTwo, wantsOne] = [signal(), signal()]
    const there = database.transaction(async ({ query }) => {
      await query('SELECT 1 FROM host WHERE id = $1 FOR UPDATE', [two.hostId])
      holdsTwo.give()
      await wantsOne.given
      await query('SELECT 1 FROM host WHERE id = $1 FOR UPDATE', [one.hostId])
    })
    await holdsTwo.given
    const here = [report(one, 2, other), report(two, 2, other)].map(ingest.commit)
    await expect.poll(() => whoWaits(database.query)).not.toEqual([])
    // The circle is closed; the transaction that has waited for longer finds it first.
    wantsOne.give()
    await there
    expect(await Promise.all(here)).toMatchObject([{ kind: 'applied' }, { kind: 'applied' }])
    await ingest.stop()
  },
)
