import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { comparePositions } from '@/lib/schemas/agent/report'
import type { Database } from '@/lib/server/database/database'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { AgentActor } from './group-member'
import { enrolledActor } from './testing/direct-ingest'
import { FOUND, type HostLife, hostLife, type LifeArrival, type LifeMessage } from './testing/host-life'
import { createTestConsole, type Delivery, readHistory, withoutPositions } from './testing/test-console'

let database: Database
let cloudId: number
let hosts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})

afterAll(() => database.close())

/** All under the name that the fixture reports. */
const newActor = async (): Promise<AgentActor> => {
  hosts += 1
  const actor = await enrolledActor(database, cloudId, `cmp-${hosts}`)
  return { ...actor, hostName: t4SeedHost().host.name }
}

type Arrived = { actor: AgentActor; clockOffMs: number } & Omit<LifeArrival, 'console'>

const asDelivered = ({ actor, clockOffMs, message, sentAt, receivedAt }: Arrived): Delivery => {
  const { kind, position, found, scannedAt, watched } = message
  const clock = (ms: number) => new Date(ms + clockOffMs)
  return {
    actor,
    inventory: FOUND[found] ?? t4SeedHost(),
    position,
    receivedAt: new Date(receivedAt),
    takenAt: kind === 'report' ? clock(scannedAt) : null,
    sentAt: clock(sentAt),
    watched,
  }
}

type Deliver = typeof asDelivered

/**
 * Two consoles that restart now and then process the messages of all hosts in groups. Returns the accepted messages of
 * each host, in the order of its positions.
 */
const deliver = async (
  lives: readonly { life: HostLife; actor: AgentActor }[],
  { cuts, deliver }: { cuts: readonly number[]; deliver: Deliver },
): Promise<LifeMessage[][]> => {
  const consoles = [createTestConsole(database), createTestConsole(database)]
  const longest = Math.max(...lives.map(({ life }) => life.arrivals.length))
  const all = Array.from({ length: longest }, (_, n) => n).flatMap((n) =>
    lives.flatMap(({ life: { arrivals, clockOffMs }, actor }, host) => {
      const arrival = arrivals[n]
      return arrival === undefined ? [] : [{ ...arrival, actor, clockOffMs, host }]
    }),
  )
  const counted: LifeMessage[][] = lives.map(() => [])
  for (let turn = 0; all.length > 0; turn += 1) {
    const which = all[0]?.console ?? 0
    const others = all.findIndex(({ console }) => console !== which)
    const max = others < 0 ? all.length : others
    const group = all.splice(0, Math.min(max, cuts[turn % cuts.length] ?? 1))
    const isRestarted = group.length === 1 && turn % 3 === 0
    const console = (isRestarted ? null : consoles[which]) ?? createTestConsole(database)
    consoles[which] = console
    const outcomes = await console.deliver(group.map(deliver))
    for (const [index, { host, message }] of group.entries())
      if (outcomes[index]) counted[host]?.push(message)
  }
  return counted.map((messages) => messages.toSorted((a, b) => comparePositions(a.position, b.position)))
}

const deliverInOrder = async (
  messages: readonly LifeMessage[],
  { clockOffMs, deliver }: { clockOffMs: number; deliver: Deliver },
): Promise<AgentActor> => {
  const actor = await newActor()
  const console = createTestConsole(database)
  for (const message of messages) {
    const { scannedAt } = message
    const hosts = deliver({ actor, clockOffMs, message, sentAt: scannedAt, receivedAt: scannedAt })
    expect(await console.deliver([hosts])).toEqual([true])
  }
  return actor
}

/** All scans up to the last received one of each interval. */
const receivedScans = (scans: readonly LifeMessage[], counted: readonly LifeMessage[]): LifeMessage[] => {
  const lastOf = new Map<number, number>()
  for (const { interval, scan } of counted) lastOf.set(interval, Math.max(scan, lastOf.get(interval) ?? 0))
  return scans.filter(({ interval, scan }) => scan <= (lastOf.get(interval) ?? -1))
}

/** Reports of a clock that is behind by less than the tolerance are taken as they are, but heartbeats go by ours. */
const isTakenAsItIs = (clockOffMs: number): boolean => clockOffMs < 0 && clockOffMs > -10_000

const property = (commit: Deliver) =>
  fc.asyncProperty(
    fc.array(hostLife, { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom(1, 2, 3, 6), { minLength: 1, maxLength: 5 }),
    async (lives, cuts) => {
      const hosts = await Promise.all(lives.map(async (life) => ({ life, actor: await newActor() })))
      const counted = await deliver(hosts, { cuts, deliver: commit })
      for (const [index, { life, actor }] of hosts.entries()) {
        const { clockOffMs, scans, arrivals } = life
        const received = counted[index] ?? []
        const reports = new Set(arrivals.filter(({ message }) => message.kind === 'report'))
        for (const { message } of reports) expect(received).toContain(message)
        const history = await readHistory(database, actor.hostId)
        const orderly = await deliverInOrder(received, { clockOffMs, deliver: commit })
        expect(history).toEqual(await readHistory(database, orderly.hostId))
        if (isTakenAsItIs(clockOffMs)) continue
        const atOnce = await deliverInOrder(receivedScans(scans, received), { clockOffMs, deliver: commit })
        const expected = withoutPositions(await readHistory(database, atOnce.hostId))
        expect(withoutPositions(history)).toEqual(expected)
      }
    },
  )

const SEED = 20_261_122

test('late, repeated and spooled reports give the history of an orderly delivery, byte for byte', async () => {
  await fc.assert(property(asDelivered), { numRuns: 12, seed: SEED })
}, 240_000)

/** As if the history went by our clock at the receipt. */
const byReceipt: Deliver = (arrived) => ({
  ...asDelivered(arrived),
  ...(arrived.message.kind === 'report' ? { takenAt: new Date(arrived.receivedAt) } : {}),
  sentAt: null,
})

/** As an agent that does not say that it scanned on. */
const withoutWatch: Deliver = (arrived) => ({ ...asDelivered(arrived), watched: { forMs: 0, agoMs: 0 } })

test.each([
  ['the time of the receipt', byReceipt],
  ['each sign of life as the first of its stretch', withoutWatch],
])(
  'control: with %s the history depends on the delivery',
  async (_what, broken) => {
    const details = await fc.check(property(broken), { numRuns: 12, seed: SEED, endOnFailure: true })
    expect(details.failed).toBe(true)
    expect(String(details.errorInstance)).toContain('to deeply equal')
  },
  240_000,
)
