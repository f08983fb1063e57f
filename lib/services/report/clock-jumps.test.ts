import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Database } from '@/lib/server/database/database'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { AgentActor } from './group-member'
import { dumpHost, enrolledActor } from './testing/direct-ingest'
import { FOUND, type HostLife, hostLife, type LifeArrival } from './testing/host-life'
import { createTestConsole, type Delivery, readHistory } from './testing/test-console'

const DAY_MS = 86_400_000
const SEED = 20_261_123

let database: Database
let cloudId: number
let hosts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})
afterAll(() => database.close())

const newActor = async (): Promise<AgentActor> => {
  hosts += 1
  const actor = await enrolledActor(database, cloudId, `cmp-${hosts}`)
  return { ...actor, hostName: t4SeedHost().host.name }
}

/** From a true moment on a clock is off by so much. */
type Jump = { at: number; offMs: number }

const offAt = (jumps: readonly Jump[], at: number): number =>
  jumps.findLast((jump) => jump.at <= at)?.offMs ?? 0

type Clocks = { host: readonly Jump[]; console: readonly Jump[] }

/** Nothing is on its way for long, so that a clock that is right needs no correction. */
const deliverBy =
  ({ host, console }: Clocks) =>
  (actor: AgentActor, { message, sentAt }: LifeArrival): Delivery => {
    const { kind, position, found, scannedAt, watched } = message
    return {
      actor,
      inventory: FOUND[found] ?? t4SeedHost(),
      position,
      watched,
      takenAt: kind === 'report' ? new Date(scannedAt + offAt(host, scannedAt)) : null,
      sentAt: new Date(sentAt + offAt(host, sentAt)),
      receivedAt: new Date(sentAt + offAt(console, sentAt)),
    }
  }
type Deliver = ReturnType<typeof deliverBy>

/** One host's life at one console; what counted, and all that is stored. */
const liveBy = async ({ arrivals }: HostLife, deliver: Deliver) => {
  const actor = await newActor()
  const console = createTestConsole(database)
  const counted: boolean[] = []
  for (const arrival of arrivals) counted.push(...(await console.deliver([deliver(actor, arrival)])))
  const {
    history: _,
    guestHistory: _guests,
    stretches: _watched,
    ...dump
  } = await dumpHost(database, actor.hostId)
  const history = await readHistory(database, actor.hostId)
  return { counted, dump, history }
}

type Row = Record<string, unknown> & { at: string; boot: number; sequence: number }

const rowsOf = (text: string | null): Row[] =>
  (JSON.parse(text ?? '[]') as Row[]).toSorted((a, b) => a.boot - b.boot || a.sequence - b.sequence)

/** What came to be known in which order, without when. */
const withoutTimes = (text: string | null): unknown =>
  rowsOf(text)
    .map(({ at: _, ...row }) => JSON.stringify(row))
    .toSorted()

const isRising = (times: readonly string[]): boolean =>
  times.every((time, index) => index === 0 || Date.parse(time) >= Date.parse(times[index - 1] ?? time))

/** Two days back and forth, at some of the moments. */
const jumpsAt = (moments: readonly number[]) =>
  fc
    .tuple(fc.subarray([...moments], { minLength: 1 }), fc.constantFrom(2 * DAY_MS, -2 * DAY_MS))
    .map(([at, firstMs]): Jump[] =>
      at.map((moment, index) => ({ at: moment, offMs: [firstMs, 0, -firstMs][index % 3] ?? 0 })),
    )

const momentsOf = ({ arrivals }: HostLife): number[] => [...new Set(arrivals.map(({ sentAt }) => sentAt))]

/** Where nothing that was scanned before is sent after. */
const quietMoments = (life: HostLife): number[] =>
  momentsOf(life).filter((moment) =>
    life.arrivals.every(({ message, sentAt }) => sentAt < moment || message.scannedAt >= moment),
  )

const lives = hostLife.filter(({ arrivals }) => arrivals.length > 2)
const jumpingHost = lives
  .filter((life) => quietMoments(life).length > 0)
  .chain((life) => jumpsAt(quietMoments(life)).map((host) => ({ life, clocks: { host, console: [] } })))
const jumpingClocks = lives.chain((life) =>
  fc
    .tuple(jumpsAt(momentsOf(life)), jumpsAt(momentsOf(life)))
    .map(([host, console]) => ({ life, clocks: { host, console } })),
)

const RIGHT: Clocks = { host: [], console: [] }

type Jumping = { life: HostLife; clocks: Clocks }

/** Only the time of a problem that concerns the clock itself may differ. */
const withoutProblems = ({ dump }: { dump: Record<string, unknown> }) => {
  const { problems: _, host, ...rest } = dump
  const { problems: _count, watchedSince: _since, watchedAt: _at, ...facts } = host as Record<string, unknown>
  return { ...rest, host: facts }
}

const sameHistory =
  (wrong: (deliver: Deliver) => Deliver = (deliver) => deliver) =>
  async ({ life, clocks }: Jumping) => {
    const jumped = await liveBy(life, wrong(deliverBy(clocks)))
    const steady = await liveBy(life, deliverBy(RIGHT))
    expect(jumped.history).toEqual(steady.history)
    expect(withoutProblems(jumped)).toEqual(withoutProblems(steady))
  }

test('a host whose clock jumps by two days and back has the history of one whose clock is right', async () => {
  await fc.assert(fc.asyncProperty(jumpingHost, sameHistory()), { numRuns: 15, seed: SEED })
}, 240_000)

test('the state is the same for any jumps of clocks and any delays, and the history is in order', async () => {
  const run = async ({ life, clocks }: Jumping) => {
    const jumped = await liveBy(life, deliverBy(clocks))
    const steady = await liveBy(life, deliverBy(RIGHT))
    expect(jumped.counted).toEqual(steady.counted)
    expect(withoutProblems(jumped)).toEqual(withoutProblems(steady))
    for (const part of ['pgpus', 'guests'] as const) {
      expect(withoutTimes(jumped.history[part])).toEqual(withoutTimes(steady.history[part]))
      expect(isRising(rowsOf(jumped.history[part]).map(({ at }) => at))).toBe(true)
    }
    const ended = JSON.parse(jumped.history.ended ?? '[]') as { since: string; until: string }[]
    expect(isRising(ended.flatMap(({ since, until }) => [since, until]))).toBe(true)
  }
  await fc.assert(fc.asyncProperty(jumpingClocks, run), { numRuns: 15, seed: SEED })
}, 240_000)

/** As if a host's clock were taken as it is. */
const byTheHostsClock =
  (deliver: Deliver): Deliver =>
  (actor, arrival) => ({
    ...deliver(actor, arrival),
    sentAt: null,
  })

test('control: where the host’s clock is taken as it is, the history is another one', async () => {
  const property = fc.asyncProperty(jumpingHost, sameHistory(byTheHostsClock))
  const details = await fc.check(property, { numRuns: 60, seed: SEED, endOnFailure: true })
  expect(details.failed).toBe(true)
  expect(String(details.errorInstance)).toContain('to deeply equal')
}, 240_000)
