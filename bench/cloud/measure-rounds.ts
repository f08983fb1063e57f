import * as z from 'zod'
import type { Database } from '@/lib/server/database/database'
import { delayAt, joinWindows, type LoopWindow, maxDelay } from './loop-window'
import type { PreparedWorld } from './prepare-world'
import type { JudgedRound, MeasuredConsole } from './run-console'

export type RoundFigures = {
  rounds: number
  /** Per round. */
  cpuMs: number
  requests: number
  delayP99Ms: number
  delayMaxMs: number
  secondsBetween: number
}

export type MeasuredRounds = {
  /** From the start of a console that has never read the cloud until all facts are read and the findings stay the same. */
  completeSeconds: number
  openFindings: number
  /** The rounds until then. */
  first: RoundFigures
  quiet: RoundFigures
  /** With servers that come and go, heartbeats and reports; null: not measured. */
  moving: RoundFigures | null
  /** The first round of a console that starts with everything stored: all is decoded, described and judged again. */
  full: RoundFigures
  rssMib: number
}

// SQL: the table has no service that a bench could call.
const LAST = `
SELECT waiting_requests AS waiting, (SELECT sum((service->>'requests')::int)::int FROM jsonb_array_elements(cost) AS service) AS requests,
  (SELECT count(*)::int FROM cloud_part WHERE error IS NOT NULL) AS failing FROM cloud_round`
const lastRow = z.object({ waiting: z.int(), requests: z.int(), failing: z.int() })

type Measured = { round: JudgedRound; requests: number; isRead: boolean; window: LoopWindow }

const measureNext = async (console: MeasuredConsole, database: Database): Promise<Measured> => {
  const round = await console.nextRound()
  const [last] = await database.query(LAST, [], lastRow)
  return {
    round,
    requests: last?.requests ?? 0,
    isRead: last !== undefined && last.waiting === 0 && last.failing === 0,
    window: await console.window(),
  }
}

const figuresOf = (measured: readonly Measured[]): RoundFigures => {
  const window = joinWindows(measured.map((one) => one.window))
  const count = measured.length
  return {
    rounds: count,
    cpuMs: window.cpuMs / count,
    requests: measured.reduce((sum, { requests }) => sum + requests, 0) / count,
    delayP99Ms: delayAt(window, 0.99),
    delayMaxMs: maxDelay(window),
    secondsBetween: window.ms / count / 1000,
  }
}

const MAX_FIRST_ROUNDS = 60

/** All is read, and the rounds since then found the same. Some findings want a second round and a sign of life of the host. */
const isSettled = (measured: readonly Measured[]): boolean => {
  const last = measured.slice(-3)
  return (
    last.length === 3 &&
    last.every(({ isRead, round }) => isRead && round.openFindings === last[0]?.round.openFindings)
  )
}

/** Reads a cloud for the first time, then for some minutes each while nothing and while much changes, then after a restart. */
export const measureRounds = async (
  world: PreparedWorld,
  { minutes }: { minutes: number },
): Promise<MeasuredRounds> => {
  const database = await world.bench.open()
  const console = await world.start()
  const first: Measured[] = []
  while (!isSettled(first) && first.length < MAX_FIRST_ROUNDS) {
    await world.cloud.beat(console.port)
    first.push(await measureNext(console, database))
  }
  const openFindings = first.at(-1)?.round.openFindings ?? 0
  const complete = first.find(({ round, isRead }) => isRead && round.openFindings === openFindings)
  const quiet: Measured[] = []
  const endMs = performance.now() + minutes * 60_000
  do quiet.push(await measureNext(console, database))
  while (performance.now() < endMs)
  const moving: Measured[] = []
  let isMoving = minutes > 0
  const moved = (isMoving ? world.cloud.move(console.port, minutes * 60_000) : Promise.resolve()).then(() => {
    isMoving = false
  })
  while (isMoving) moving.push(await measureNext(console, database))
  await moved
  await console.stop()
  const again = await world.start()
  const full = [await measureNext(again, database)]
  await again.stop()
  await database.close()
  return {
    completeSeconds: (complete?.round.atMs ?? Number.NaN) / 1000,
    openFindings,
    first: figuresOf(first),
    quiet: figuresOf(quiet),
    moving: moving.length === 0 ? null : figuresOf(moving),
    full: figuresOf(full),
    rssMib: Math.max(...[...first, ...quiet].map(({ window }) => window.rssMib)),
  }
}
