import { afterAll, beforeAll, expect, test } from 'vitest'
import { a100SlidesHost, t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { AgentActor, ReportMember } from './group-member'
import { dumpHost, enrolledActor, heartbeatMember, reportMember, startIngest } from './testing/direct-ingest'

let database: Database
let cloudId: number
let hosts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})

afterAll(() => database.close())

const newActor = () => {
  hosts += 1
  return enrolledActor(database, cloudId, `cmp-${hosts}`)
}

const member = (actor: AgentActor, inventory: Inventory, sequence = 1) =>
  reportMember({ actor, inventory, position: { boot: 1, sequence } })

/** PostgreSQL takes no NUL in a text, and the reader refuses it; here it comes all the same. */
const poisoned = (good: ReportMember): ReportMember => ({
  ...good,
  rows: { ...good.rows, facts: good.rows.facts.with(2, 'half \0 a text') },
})

test('a report that the database refuses fails alone, the others of its group are stored', async () => {
  const ingest = startIngest(database)
  const actors = await Promise.all([newActor(), newActor(), newActor()])
  const members = actors.map((actor) => member(actor, t4SeedHost()))
  const [first, second, third] = members
  if (!first || !second || !third) throw new Error('three members were made')
  const outcomes = await Promise.allSettled([first, poisoned(second), third].map(ingest.commit))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const stored = await Promise.all(actors.map(({ hostId }) => dumpHost(database, hostId)))
  expect(stored.map(({ pgpus }) => (pgpus as unknown[] | null)?.length ?? 0)).toEqual([8, 0, 8])
  expect(stored[1]?.host).toMatchObject({ boot: 0, sequence: 0, digest: null })
  await ingest.stop()
})

/** A database whose transactions break at their statement number `at`. */
const breakingAt = (at: number, error: Error): Database & { broke: () => boolean } => {
  let hasBroken = false
  return {
    ...database,
    broke: () => hasBroken,
    transaction: (work) => {
      let statements = 0
      return database.transaction(({ query, prisma }) =>
        work({
          prisma,
          query: createQuery(async (sql, params) => {
            statements += 1
            if (statements === at) {
              hasBroken = true
              throw error
            }
            return query(sql, params)
          }),
        }),
      )
    },
  }
}

test('a group that breaks at any of its statements leaves nothing of itself', async () => {
  const healthy = startIngest(database)
  const [changing, coming] = [await newActor(), await newActor()]
  await healthy.commit(member(changing, a100SlidesHost()))
  const dump = async () => [
    await dumpHost(database, changing.hostId),
    await dumpHost(database, coming.hostId),
  ]
  const before = await dump()
  let statements = 0
  for (let at = 1; at < 40; at += 1) {
    const broken = breakingAt(at, Object.assign(new Error('cut'), { code: '08006' }))
    const ingest = startIngest(broken)
    const members = [member(changing, t4SeedHost(), 2), member(coming, a100SlidesHost(), 1)]
    const outcomes = await Promise.allSettled(members.map(ingest.commit))
    await ingest.stop()
    if (!broken.broke()) break
    statements = at
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await dump()).toEqual(before)
  }
  expect(statements).toBeGreaterThan(8)
  const [after] = await dump()
  expect(after?.host).toMatchObject({ sequence: 2, gpus: 8 })
}, 60_000)

test('after a broken group the same reports are taken, each once', async () => {
  const actor = await newActor()
  const broken = breakingAt(3, Object.assign(new Error('cut'), { code: '08006' }))
  const first = startIngest(broken)
  await expect(first.commit(member(actor, t4SeedHost()))).rejects.toMatchObject({
    code: 'unavailable',
  })
  const second = startIngest(database)
  expect(await second.commit(member(actor, t4SeedHost()))).toMatchObject({ kind: 'applied' })
  expect(await second.commit(member(actor, t4SeedHost()))).toMatchObject({ kind: 'late' })
  await Promise.all([first.stop(), second.stop()])
})

test.each(['23503', '23505', 'P2025'])(
  'a report that meets the rule %s of the database may come again',
  async (code) => {
    const actor = await newActor()
    const broken = startIngest(breakingAt(3, Object.assign(new Error('a rule'), { code })))
    await expect(broken.commit(member(actor, t4SeedHost()))).rejects.toMatchObject({
      code: 'internal',
    })
    await broken.stop()
  },
)

test.each([
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  // pg gives these no code.
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
])('when the database is away every report gets that answer at once: %s', async (error) => {
  let attempts = 0
  const away: Database = {
    ...database,
    transaction: async () => {
      attempts += 1
      throw error
    },
  }
  const ingest = startIngest(away)
  const actors = await Promise.all([newActor(), newActor(), newActor()])
  const members = actors.map((actor) => member(actor, t4SeedHost()))
  const outcomes = await Promise.allSettled(members.map(ingest.commit))
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { code: 'unavailable', retryAfterSeconds: 5 },
    })
  expect(attempts).toBe(1)
})

test('a report beyond the queue is refused until later', async () => {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: Database = { ...database, transaction: (work) => gate.then(() => database.transaction(work)) }
  const ingest = startIngest(slow, 2)
  const actors = await Promise.all([newActor(), newActor(), newActor()])
  const [first, second, third] = await Promise.all(actors.map((actor) => member(actor, t4SeedHost())))
  if (!first || !second || !third) throw new Error('three members were made')
  const taken = [ingest.commit(first), ingest.commit(second)]
  await expect(ingest.commit(third)).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 5 })
  // Heartbeats use almost no memory in the meantime.
  const beats = actors.map((actor) =>
    ingest.commit(heartbeatMember(actor, { boot: 1, sequence: 2 }, t4SeedHost())),
  )
  const stopped = ingest.stop()
  await expect(ingest.commit(third)).rejects.toMatchObject({ code: 'shutting_down' })
  release()
  await stopped
  expect(await Promise.all(taken)).toMatchObject([{ kind: 'applied' }, { kind: 'applied' }])
  // The third host's report was refused, so nothing is held that it could confirm.
  expect(await Promise.all(beats)).toMatchObject([
    { kind: 'applied' },
    { kind: 'applied' },
    { kind: 'conflict' },
  ])
})

test('texts with every character that arrays and rows treat specially come back as they were', async () => {
  const actor = await newActor()
  const ingest = startIngest(database)
  const odd = [
    '',
    'NULL',
    'null',
    '{}',
    '{"a",b}',
    'a\\b',
    '"',
    "'",
    ' lead',
    'tail ',
    'new\nline',
    'ünï¢ode 🙂',
    ',',
    'half a pair \ud83d',
  ]
  const base = t4SeedHost()
  const [guest] = base.guests ?? []
  if (guest === undefined) throw new Error('the fixture has a guest')
  const inventory: Inventory = {
    ...base,
    problems: odd.map((message) => ({ source: '/etc/x', code: 'io', message })),
    guests: odd.map((text, n) => ({
      ...guest,
      uuid: `00000000-0000-4000-8000-0000000000${n + 10}`,
      mdevs: [],
      nova: {
        serverName: text,
        flavorName: null,
        projectId: null,
        projectName: text,
        userId: null,
        userName: null,
      },
    })),
  }
  await ingest.commit(member(actor, inventory))
  const guests = await database.prisma.guest.findMany({
    where: { hostId: actor.hostId },
    orderBy: { uuid: 'asc' },
  })
  // Control characters do not pass the edge (lib/schemas/agent/grammar.ts).
  const stored = odd.map((text) => text.replaceAll('\n', '\uFFFD').replace(/\p{Cs}/u, '\uFFFD'))
  expect(guests.map(({ serverName }) => serverName)).toEqual(stored)
  const { problems } = await database.prisma.host.findUniqueOrThrow({ where: { id: actor.hostId } })
  expect(problems).toEqual(stored.map((message) => ({ source: '/etc/x', code: 'io', message })))
  const fresh = startIngest(database)
  const [before] = await database.query('SELECT changed_xid FROM host WHERE id = $1', [actor.hostId])
  await fresh.commit(member(actor, inventory, 2))
  expect(await database.query('SELECT changed_xid FROM host WHERE id = $1', [actor.hostId])).toEqual([before])
})
