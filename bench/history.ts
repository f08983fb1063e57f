/**
 * `npm run bench:history [-- --hosts 70 --days 730]`: two years of history, generated, in PGlite and in a PostgreSQL of the
 * benchmark's own: how large it is, how long charts of it take, and whether reports are still written quickly enough; next to
 * Prometheus and VictoriaMetrics with the same samples where they are installed. `--keep DIRECTORY`: what was written stays there
 * and is measured again by the next run; `--only charts`: nothing else.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { isBuilt, startConsole } from './fleet/console-process'
import {
  type BenchDatabase,
  createBenchDatabase,
  openStoredDatabase,
  type StoredDatabase,
} from './fleet/open-bench-database'
import { kilobytes, milliseconds, printTable, times } from './fleet/print-table'
import { CLOUD, makeBigPast, pgpuCountOf, storeBigPast } from './history/big-past'
import { measureReads, type Read } from './history/measure-reads'
import { measureSizes, type Sizes } from './history/measure-size'
import { measurePrometheus } from './history/prometheus'
import { METRICS, samplesOf } from './history/samples'
import { addLargeFleet } from './history/scale-roll-ups'
import type { Measured } from './history/time-series-database'
import { measureVictoriaMetrics } from './history/victoria-metrics'
import { buildConsole, measureConsole } from './ingest/measure-console'

const LARGE_PGPUS = 80_000
const CHART = { host: 'cmp-r1-01-0', days: 90 }
const SCRAPE_MS = 60_000
const NEEDED_RATE = 667

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '70' },
    days: { type: 'string', default: '730' },
    seconds: { type: 'string', default: '10' },
    keep: { type: 'string' },
    only: { type: 'string' },
  },
})
if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}
const days = Number(values.days)
/** A kept history ends when it was made. */
const storedEnd = (): number => {
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000
  if (values.keep === undefined) return now
  const file = join(values.keep, `end-${values.hosts}-${days}`)
  mkdirSync(values.keep, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, String(now))
  return Number(readFileSync(file, 'utf8'))
}
const end = new Date(storedEnd())
const past = makeBigPast({ hosts: Number(values.hosts), days, end })
const pgpus = pgpuCountOf(past)
const changes = past.hosts.reduce(
  (sum, { points, holdings, words }) => sum + points.length + holdings.length + words.length,
  0,
)
console.log(
  `${past.hosts.length} hosts with ${pgpus} pGPUs, ${days} days: ${changes} changes, ${((changes * 365) / days / pgpus).toFixed(0)} a pGPU and year`,
)

/** Prints the progress. */
const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}

type Rate = { name: string; rate: number; p99Ms: number }
type Result = { name: string; sizes: Sizes; reads: Read[]; rates: Rate[] }

const write = async (name: string, bench: BenchDatabase): Promise<Sizes> => {
  say(`${name}: writing`)
  const database = await bench.open()
  const cloudId = await storeBigPast(database, past)
  const sizes = await measureSizes(database)
  say(`${name}: a fleet of ${LARGE_PGPUS} pGPUs`)
  await addLargeFleet(database, cloudId, LARGE_PGPUS / pgpus)
  await database.close()
  return sizes
}

const measureCharts = async (name: string, bench: BenchDatabase): Promise<Read[]> => {
  say(`${name}: asking`)
  const server = await startConsole({
    ...bench.env,
    SLICEBOARD_CLOUD: CLOUD.name,
    SLICEBOARD_SIGN_IN: 'off',
    OS_CLIENT_CONFIG_FILE: '/dev/null',
  })
  const reads = await measureReads(server.address, { host: CHART.host, end: past.end })
  await server.stop()
  return reads
}

/** As many hosts as reports come from at once, so that none waits for its own last one. */
const LOAD = { seconds: Number(values.seconds), connections: 32, hosts: 400, maxRate: 2 * NEEDED_RATE }

const ingest = async (name: string, bench: BenchDatabase): Promise<Rate> => {
  say(`${name}: reporting`)
  const { DATABASE_URL, SLICEBOARD_DATA_DIR: dataDirectory } = bench.env
  const { result } = await measureConsole({
    ...LOAD,
    databaseUrl: DATABASE_URL || null,
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
    isProfiled: false,
  })
  await bench.remove()
  return { name, ...result }
}

const inDatabase = async (name: string, serverUrl: string | null): Promise<Result> => {
  const stored: StoredDatabase =
    values.keep === undefined
      ? { ...(await createBenchDatabase(serverUrl)), made: null, keep: () => Promise.resolve() }
      : await openStoredDatabase(serverUrl, join(values.keep, serverUrl === null ? 'pglite' : 'postgres'))
  try {
    const sizes = stored.made === null ? await write(name, stored) : (JSON.parse(stored.made) as Sizes)
    await stored.keep(JSON.stringify(sizes))
    const isWhole = values.only !== 'charts'
    const rates = isWhole
      ? [
          await ingest(`${name}, empty`, await createBenchDatabase(serverUrl)),
          await ingest(`${name}, two years`, await stored.copy()),
        ]
      : []
    return { name, sizes, reads: await measureCharts(name, stored), rates }
  } finally {
    await stored.remove()
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`
const aYear = (bytes: number): number => (bytes * 365) / days

const printSizes = (results: readonly Result[]): void => {
  const rows = results.map(({ name, sizes }) => [
    name,
    megabytes(aYear(sizes.changes) / pgpus),
    megabytes(aYear(sizes.changes + sizes.rollUps) / pgpus),
    times(aYear(sizes.changes + sizes.rollUps) / pgpus / 100_000),
    megabytes(sizes.rollUps),
  ])
  printTable('On disk with the default retention, indexes included, a pGPU and year (aim 0.10 MB)', [
    ['', 'changes', 'with roll-ups', 'of the aim', 'all roll-ups'],
    ...rows,
  ])
}

const AIMS = [
  [20, 15_000],
  [50, 50_000],
  [50, 50_000],
  [50, 50_000],
] as const

const printReads = ({ name, reads }: Result): void => {
  printTable(
    `Charts over HTTP, production console on ${name}, one client: the first 30 answers and 60 later ones`,
    [
      ['', 'status', 'p50', 'p95', 'later p50', 'p95', 'aim', 'on the wire', 'aim', 'not zipped'],
      ...reads.map(({ name: what, status, bytes, plainBytes, ...took }, index) => {
        const [aimMs, aimBytes] = AIMS[index] ?? [50, 50_000]
        const { p50Ms, p95Ms, laterP50Ms, laterP95Ms } = took
        const latencies = [p50Ms, p95Ms, laterP50Ms, laterP95Ms].map(milliseconds)
        const cells = [...latencies, `${aimMs} ms`, kilobytes(bytes)]
        return [what, String(status), ...cells, kilobytes(aimBytes), kilobytes(plainBytes)]
      }),
    ],
  )
}

const printOthers = (
  chart: Read,
  others: readonly (readonly [name: string, measured: Measured | null])[],
): void => {
  const series = METRICS.length * 8
  printTable(`The same 8 pGPUs over ${CHART.days} days: ${series} series, a sample a minute`, [
    ['', 'bytes a series and year', 'p50 of the chart', 'against the console', 'on the wire'],
    ...others.map(([name, measured]) => {
      if (measured === null) return [name, 'not installed', '', '', '']
      const { bytes, read } = measured
      const perYear = (bytes / series) * (365 / CHART.days)
      return [
        name,
        kilobytes(perYear),
        milliseconds(read.p50Ms),
        times(read.p50Ms / chart.p50Ms),
        kilobytes(read.bytes),
      ]
    }),
  ])
}

await buildConsole()
const results = [await inDatabase('PGlite', null)]
const binaries = findPostgresBinaries()
if (binaries === null) console.log('PostgreSQL is not installed, so it is left out.')
else {
  const keepIn = values.keep === undefined ? null : join(values.keep, 'server')
  const postgres = await startPrivatePostgres(binaries, { isDurable: true, keepIn })
  const [version] = /\d+/.exec(execFileSync(join(binaries, 'postgres'), ['--version']).toString()) ?? []
  try {
    results.push(await inDatabase(`PostgreSQL ${version}`, postgres.url))
  } finally {
    await postgres.stop()
  }
}
printSizes(results)
for (const result of results) printReads(result)
printTable(
  `Reports on one core, with history and triggers, 8 pGPUs a host (needed: ${NEEDED_RATE} a second)`,
  [
    ['', 'reports/s', 'of what is needed', 'p99'],
    ...results
      .flatMap(({ rates }) => rates)
      .map(({ name, rate, p99Ms }) => [
        name,
        rate.toFixed(0),
        times(rate / NEEDED_RATE),
        milliseconds(p99Ms),
      ]),
  ],
)
const samples = () => samplesOf(past, { ...CHART, stepMs: SCRAPE_MS })
const range = { end: past.end, days: CHART.days }
const [chart] = results[0]?.reads ?? []
if (chart !== undefined && values.only !== 'charts')
  printOthers(chart, [
    ['Prometheus', await measurePrometheus(samples, range)],
    ['VictoriaMetrics', await measureVictoriaMetrics(samples, range)],
  ])
