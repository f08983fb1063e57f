/**
 * `npm run bench:ingest [-- --rounds 3 --seconds 8 --connections 64 --hosts 400]`: reports that the console authenticates, checks
 * and commits on one core, against a Next route handler and a node:http server that only parse the same bodies, and against
 * Prisma's model API, which only parses them and writes the same rows. Each on a fresh PGlite in a temporary folder, and on the
 * PostgreSQL at TEST_DATABASE_URL when that is set; `--database private` starts one next to the load. `--only console`: Next and the
 * console alone. They take turns, a round after the other, because a machine is not as fast from one minute to the next; ratios are
 * to Next's rate of the same round. Then `--offered 1200`: the console on PostgreSQL at an offered rate, with latencies from when
 * each report was due; 0 leaves it out.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable, times } from './fleet/print-table'
import type { LoadResult } from './ingest/load'
import { buildConsole, load, measureConsole, measureOtherWay } from './ingest/measure-console'
import { LOAD_CORE, pinSelf, SERVER_CORE, startPinned } from './ingest/pinned-process'
import { median } from './quantile'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    hosts: { type: 'string', default: '400' },
    offered: { type: 'string', default: '1200' },
    database: { type: 'string', default: 'given' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const offered = Number(values.offered)
const root = join(import.meta.dirname, '..')
const appDirectory = join('bench', 'parse-only-app')

const buildNextApp = async (): Promise<void> => {
  if (existsSync(join(root, appDirectory, '.next', 'BUILD_ID'))) return
  const next = startPinned({
    core: LOAD_CORE,
    cwd: root,
    args: [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build', appDirectory],
  })
  await next.printed(/Route \(app\)/)
  await next.ended
}

const terms = {
  seconds,
  hosts: Number(values.hosts),
  connections: Number(values.connections),
  maxRate: 6000,
}

/** Reports are made beforehand: more for the quick one, fewer for the slow one. */
const MAX_PARSE_RATE = 12_000
const MAX_PRISMA_RATE = 800

const startOwnServer = () => {
  const binaries = findPostgresBinaries()
  if (binaries === null) throw new Error('--database private needs PostgreSQL: apt install postgresql.')
  // Its processes stay where this one is.
  pinSelf(LOAD_CORE)
  return startPrivatePostgres(binaries, { isDurable: true })
}
const ownServer = values.database === 'private' ? await startOwnServer() : null
const serverUrl = ownServer?.url ?? (process.env.TEST_DATABASE_URL?.trim() || null)

const measureNext = async (): Promise<LoadResult> => {
  const port = '3917'
  const next = startPinned({
    core: SERVER_CORE,
    cwd: root,
    args: [
      join('node_modules', 'next', 'dist', 'bin', 'next'),
      'start',
      appDirectory,
      '-p',
      port,
      '-H',
      '127.0.0.1',
    ],
  })
  await next.printed(/Ready in/)
  const result = await load({ port: Number(port), path: '/parse', pid: next.pid }, terms)
  await next.stop()
  return result
}

const onPrisma = (databaseUrl: string | null): Promise<LoadResult> =>
  measureOtherWay('prisma', { ...terms, maxRate: MAX_PRISMA_RATE, databaseUrl })

/** Runs `measure` on a database of the server at `serverUrl` that is empty before and gone afterwards. */
const withDatabase = async (
  measure: (databaseUrl: string | null) => Promise<LoadResult>,
): Promise<LoadResult> => {
  const database = await createBenchDatabase(serverUrl)
  try {
    return await measure(database.env.DATABASE_URL ?? null)
  } finally {
    await database.remove()
  }
}

const onConsole = async (databaseUrl: string | null, perSecond?: number): Promise<LoadResult> => {
  const pace = perSecond === undefined ? {} : { perSecond }
  const settings = { ...terms, ...pace, databaseUrl, isProfiled: values.profile }
  const { result, stored } = await measureConsole(settings)
  console.log(stored)
  return result
}

type Way = { name: string; measure: () => Promise<LoadResult>; results: LoadResult[] }

const NEXT = 'Next route, parses only'

const allWays = (): Way[] => {
  const parsing = { ...terms, maxRate: MAX_PARSE_RATE, databaseUrl: null }
  const consoles: [string, Way['measure']][] = [['console on PGlite', () => onConsole(null)]]
  const others: [string, Way['measure']][] = [
    ['node:http, parses only', () => measureOtherWay('parse', parsing)],
    ["Prisma's model API on PGlite", () => onPrisma(null)],
  ]
  if (serverUrl !== null) {
    consoles.push(['console on PostgreSQL', () => withDatabase((url) => onConsole(url))])
    others.push(["Prisma's model API on PostgreSQL", () => withDatabase((url) => onPrisma(url))])
  }
  const ways: [string, Way['measure']][] = [[NEXT, () => measureNext()], ...consoles]
  if (values.only !== 'console') ways.push(...others)
  return ways.map(([name, measure]) => ({ name, measure, results: [] }))
}

const span = (numbers: readonly number[], format: (number: number) => string): string =>
  numbers.length === 1 ? '' : `${format(Math.min(...numbers))} to ${format(Math.max(...numbers))}`

const measureAll = async (): Promise<void> => {
  const ways = allWays()
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name, measure, results } of ways) {
      const result = await measure()
      results.push(result)
      // Printed at once, so that a run that ends early has a result.
      console.log(`${name}: ${result.rate.toFixed(0)} reports/s, p99 ${milliseconds(result.p99Ms)}`)
    }
  const next = ways[0]?.results ?? []
  printTable(
    `Whole reports, all different: ${next[0]?.bytes.sent} bytes sent for an inventory of ${next[0]?.bytes.json} bytes, ${values.hosts} hosts with 8 pGPUs, ${values.connections} connections, one core; middle of ${values.rounds} rounds`,
    [
      ['', 'reports/s', '', 'ratio', '', 'CPU', 'p50', 'p99', '', 'refused'],
      ...ways.map(({ name, results }) => {
        const rates = results.map(({ rate }) => rate)
        const ratios = rates.map((rate, round) => rate / (next[round]?.rate ?? Number.NaN))
        const slowest = results.map(({ p99Ms }) => p99Ms)
        return [
          name,
          median(rates).toFixed(0),
          span(rates, (rate) => rate.toFixed(0)),
          times(median(ratios)),
          span(ratios, times),
          `${median(results.map(({ cpuUs }) => cpuUs)).toFixed(0)} us`,
          milliseconds(median(results.map(({ p50Ms }) => p50Ms))),
          milliseconds(median(slowest)),
          span(slowest, milliseconds),
          String(results.reduce((sum, { refused }) => sum + refused, 0)),
        ]
      }),
    ],
  )
}

const measureOffered = async (perSecond: number): Promise<void> => {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const { rate, p50Ms, p99Ms, cpuUs, refused } = await withDatabase((url) => onConsole(url, perSecond))
    console.log(
      `offered ${perSecond}/s: ${rate.toFixed(0)} reports/s, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}, ${cpuUs.toFixed(0)} us CPU a report, ${refused} refused`,
    )
  }
}

try {
  await buildConsole()
  await buildNextApp()
  await measureAll()
  if (serverUrl !== null && offered > 0) await measureOffered(offered)
} finally {
  await ownServer?.stop()
}
