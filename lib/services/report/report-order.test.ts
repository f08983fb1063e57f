import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { comparePositions } from '@/lib/schemas/agent/report'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { commitGroup } from './commit-group'
import type { AgentActor, GroupMember } from './group-member'
import { dumpHost, enrolledActors, heartbeatMember, reportMember } from './testing/direct-ingest'
import { type Delivered, effectiveMessages, randomDelivery } from './testing/random-delivery'

/** For a long run by hand: SLICEBOARD_HISTORIES=100000, of which each takes many reports; SLICEBOARD_HISTORY_SECONDS ends it earlier. */
const HISTORIES = Number(process.env.SLICEBOARD_HISTORIES ?? 25)
const SECONDS =
  process.env.SLICEBOARD_HISTORY_SECONDS === undefined ? null : Number(process.env.SLICEBOARD_HISTORY_SECONDS)
const TIMEOUT_MS = Math.max(120_000, HISTORIES * 1000)

let database: Database
let cloudId: number
let hosts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})

afterAll(() => database.close())

const newActors = (count: number): Promise<AgentActor[]> => {
  const names = Array.from({ length: count }, (_, n) => `cmp-${hosts + n + 1}`)
  hosts += count
  return enrolledActors(database, cloudId, names)
}

const newActor = async (): Promise<AgentActor> => {
  const [actor] = await newActors(1)
  if (actor === undefined) throw new Error('the answer has none')
  return actor
}

const commit = (members: readonly GroupMember[]) => commitGroup({ database, members, now: () => new Date() })

const memberOf = (actor: AgentActor, { position, inventory, isHeartbeat }: Delivered): GroupMember =>
  isHeartbeat ? heartbeatMember(actor, position, inventory) : reportMember({ actor, inventory, position })

const deliver = (actor: AgentActor, message: Delivered) => commit([memberOf(actor, message)])

/** What is stored of a host without what it was before; what a guest was last known to hold may be long ago. */
const presentOf = async ({ hostId }: AgentActor) => {
  const {
    history: _,
    guestHistory: _guests,
    holdings: _held,
    stretches: _watched,
    ...present
  } = await dumpHost(database, hostId)
  return present
}

/** So many hosts report side by side at most. */
const MAX_TOGETHER = 12

/** After so many histories the database is emptied, which a long run would fill. */
const RETAINED = 50 * MAX_TOGETHER
const FORGET =
  'TRUNCATE host, pgpu_change, guest_change, pgpu_point, guest_owner, held_vgpus, history_address, host_watch CASCADE'

type Groups = { groups: { console: 0 | 1; members: Delivered[] }[] }

const sideBySide: fc.Arbitrary<Groups[]> = fc.array(randomDelivery, {
  minLength: MAX_TOGETHER,
  maxLength: MAX_TOGETHER,
})

/** What the network brings, as a console would see it. */
type Seen = (groups: Groups['groups']) => Groups['groups']

/** Without the positions, which a console that goes by something else has wrong anyhow. */
const withoutPositions = (stored: unknown): unknown =>
  JSON.parse(
    JSON.stringify(stored, (key, value) => (key === 'boot' || key === 'sequence' ? undefined : value)),
  )

/** The nth of each host's messages, hosts that have so many. */
const nth = <Item>(lists: readonly (readonly Item[])[], n: number): { host: number; item: Item }[] =>
  lists.flatMap((list, host) => {
    const item = list[n]
    return item === undefined ? [] : [{ host, item }]
  })

const longest = (lists: readonly (readonly unknown[])[]): number =>
  Math.max(0, ...lists.map(({ length }) => length))

type Sent = { actor: AgentActor; messages: readonly Delivered[] }

/** What several hosts sent, in one transaction. Gives how many messages of each counted. */
const deliverTogether = async (sent: readonly Sent[]): Promise<number[]> => {
  const members = sent.map(({ actor, messages }) => messages.map((message) => memberOf(actor, message)))
  if (members.length === 0) return []
  const outcomes = await commit(members.flat())
  return members.map((own) => own.filter((member) => outcomes.get(member)?.kind === 'applied').length)
}

/** The hosts report side by side, as a console's groups are: the nth group of each comes together with the others'. */
const deliverShuffled = async (actors: readonly AgentActor[], groups: readonly Groups['groups'][]) => {
  const applied = actors.map(() => 0)
  for (let n = 0; n < longest(groups); n += 1) {
    for (const which of [0, 1] as const) {
      const here = nth(groups, n).filter(({ item }) => item.console === which)
      const sent = here.flatMap(({ host, item }) => {
        const actor = actors[host]
        return actor === undefined ? [] : [{ actor, messages: item.members }]
      })
      const counts = await deliverTogether(sent)
      for (const [index, { host }] of here.entries())
        applied[host] = (applied[host] ?? 0) + (counts[index] ?? 0)
    }
  }
  return applied
}

const deliverInOrder = async (
  actors: readonly AgentActor[],
  effective: readonly (readonly Delivered[])[],
) => {
  for (let n = 0; n < longest(effective); n += 1) {
    const sent = nth(effective, n).flatMap(({ host, item }) => {
      const actor = actors[host]
      return actor === undefined ? [] : [{ actor, messages: [item] }]
    })
    await deliverTogether(sent)
  }
}

const dumpAll = (actors: readonly AgentActor[]) =>
  Promise.all(actors.map(({ hostId }) => dumpHost(database, hostId)))

const delivered = async (histories: readonly Groups[], seen: Seen) => {
  const shuffled = await newActors(histories.length)
  const orderly = await newActors(histories.length)
  const groups = histories.map((history) => history.groups)
  const applied = await deliverShuffled(shuffled, groups.map(seen))
  const effective = groups.map((own) => effectiveMessages(own, inventoryDigest))
  await deliverInOrder(orderly, effective)
  return { applied, effective, stored: await dumpAll(shuffled), expected: await dumpAll(orderly) }
}

test(
  'any order, doubling and loss ends as the orderly delivery of what counts, history included',
  async () => {
    let histories = 0
    const run = async (together: Groups[]) => {
      const { applied, effective, stored, expected } = await delivered(together, (all) => all)
      expect(applied).toEqual(effective.map(({ length }) => length))
      expect(stored).toEqual(expected)
      histories += together.length
      if (histories % RETAINED === 0) await database.query(FORGET)
    }
    const isLong = process.env.SLICEBOARD_HISTORIES !== undefined
    await fc.assert(fc.asyncProperty(sideBySide, run), {
      numRuns: Math.ceil(HISTORIES / MAX_TOGETHER),
      ...(SECONDS === null ? {} : { interruptAfterTimeLimit: SECONDS * 1000 }),
    })
    if (isLong) process.stdout.write(`R4 ${JSON.stringify({ histories })}\n`)
  },
  TIMEOUT_MS,
)

/** As if what comes later were newer, so that a late report is applied over what it is older than. */
const byArrival: Seen = (groups) => {
  let sequence = 0
  return groups.map(({ console, members }) => ({
    console,
    members: members.map((member) => {
      sequence += 1
      return { ...member, position: { boot: 1, sequence } }
    }),
  }))
}

/** As if each report were committed alone: older ones before it in its group are skipped as late. */
const newestFirst: Seen = (groups) =>
  groups.flatMap(({ console, members }) =>
    members
      .toSorted((a, b) => comparePositions(b.position, a.position))
      .map((member) => ({ console, members: [member] })),
  )

test.each([
  ['applies a late report over a newer one', byArrival],
  ['takes the newest of a group first', newestFirst],
])(
  'control: a console that %s is found in what is stored',
  async (_, seen) => {
    const run = async (groups: Groups) => {
      const { stored, expected } = await delivered([groups], seen)
      expect(withoutPositions(stored)).toEqual(withoutPositions(expected))
    }
    const details = await fc.check(fc.asyncProperty(randomDelivery, run), {
      numRuns: 100,
      endOnFailure: true,
      seed: 20_261_123,
    })
    expect(details.failed).toBe(true)
    expect(String(details.errorInstance)).toContain('to deeply equal')
  },
  TIMEOUT_MS,
)

test('the stored rows are those of the report, regardless of earlier rows', async () => {
  const run = async ({ groups }: { groups: { members: Delivered[] }[] }) => {
    const [actor, fresh] = [await newActor(), await newActor()]
    const inventories = groups.flatMap(({ members }) => members.map(({ inventory }) => inventory))
    for (const [index, inventory] of inventories.entries())
      await deliver(actor, { inventory, position: { boot: 1, sequence: index + 1 }, isHeartbeat: false })
    const last = inventories.at(-1)
    if (last === undefined) throw new Error('a delivery without messages')
    const position = { boot: 1, sequence: inventories.length }
    await deliver(fresh, { inventory: last, position, isHeartbeat: false })
    expect(await presentOf(actor)).toEqual(await presentOf(fresh))
  }
  await fc.assert(fc.asyncProperty(randomDelivery, run), { numRuns: 10 })
}, 120_000)

test('two consoles that write the same hosts at the same time lose and double nothing', async () => {
  const actors = await Promise.all(Array.from({ length: 6 }, newActor))
  const inventories = [t4SeedHost(), { ...t4SeedHost(), guests: [] }]
  const rounds = Array.from({ length: 8 }, (_, n) => n + 1)
  const all = rounds.flatMap((sequence) =>
    ['one', 'two'].map(async () => {
      const inventory = inventories[sequence % 2] ?? t4SeedHost()
      const members = actors
        .toReversed()
        .map((actor) => reportMember({ actor, inventory, position: { boot: 1, sequence } }))
      return [...(await commit(members)).values()].filter(({ kind }) => kind === 'applied').length
    }),
  )
  const applied = (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
  const rows = await database.query(
    'SELECT sequence, applied_reports AS reports FROM host WHERE id = ANY($1::int[])',
    [actors.map(({ hostId }) => hostId)],
    anyRow<{ sequence: number; reports: number }>(),
  )
  expect(rows.every(({ sequence }) => sequence === 8)).toBe(true)
  expect(rows.reduce((sum, { reports }) => sum + reports, 0)).toBe(applied)
  const fresh = await newActor()
  const last = inventories[0] ?? t4SeedHost()
  await deliver(fresh, { inventory: last, position: { boot: 1, sequence: 8 }, isHeartbeat: false })
  const expected = await presentOf(fresh)
  for (const actor of actors) expect(await presentOf(actor)).toEqual(expected)
})
