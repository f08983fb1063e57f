/**
 * `npm run bench:ingest [-- --seconds 10 --connections 64 --hosts 400]`: reports that the console authenticates, checks and
 * commits on one core, against a Next route handler and a node:http server that only parse the same bodies, and against
 * Prisma's model API, which only parses them and writes the same present rows. Once with reports as agents send them, as
 * differences, and once with whole ones. Each on a fresh PGlite in a temporary folder, and on the PostgreSQL at
 * TEST_DATABASE_URL when that is set; `--database private` starts one of its own. `--form difference`, `--form whole`: only
 * that. `--semi-space 128`: another young generation for the console than `npm start` gives it, in MiB.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable, times } from './fleet/print-table'
import type { LoadResult } from './ingest/load'
import { buildConsole, load, measureConsole, measureOtherWay, SEMI_SPACE_MIB } from './ingest/measure-console'
import { LOAD_CORE, SERVER_CORE, startPinned } from './ingest/pinned-process'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    hosts: { type: 'string', default: '400' },
    form: { type: 'string', default: 'both' },
    database: { type: 'string', default: 'given' },
    'semi-space': { type: 'string', default: String(SEMI_SPACE_MIB) },
    profile: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const root = join(import.meta.dirname, '..')
const appDirectory = join('bench', 'parse-only-app')

const buildNextApp = async (): Promise<void> => {
  if (existsSync(join(root, appDirectory, '.next', 'BUILD_ID'))) return
  const next = startPinned({
    core: LOAD_CORE,
    cwd: root,
    args: [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build', appDirectory],
  })
  await next.said(/Route \(app\)/)
  await next.ended
}

const terms = {
  seconds,
  hosts: Number(values.hosts),
  connections: Number(values.connections),
  mostRate: 6000,
}

/** Reports are made beforehand: more for the quick one, fewer for the slow one. */
const MOST_PARSE_RATE = 20_000
const MOST_PRISMA_RATE = 800

const startOwnServer = () => {
  const binaries = findPostgresBinaries()
  if (binaries === null) throw new Error('--database private needs PostgreSQL: apt install postgresql.')
  return startPrivatePostgres(binaries, { isDurable: true })
}
const ownServer = values.database === 'private' ? await startOwnServer() : null
const serverUrl = ownServer?.url ?? (process.env.TEST_DATABASE_URL?.trim() || null)

const measureNext = async (isDifference: boolean): Promise<LoadResult> => {
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
  await next.said(/Ready in/)
  const result = await load({ port: Number(port), path: '/parse', pid: next.pid, isDifference }, terms)
  await next.stop()
  return result
}

const onPrisma = (databaseUrl: string | null, isDifference: boolean): Promise<LoadResult> =>
  measureOtherWay('prisma', { ...terms, mostRate: MOST_PRISMA_RATE, databaseUrl, isDifference })

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

const onConsole = async (databaseUrl: string | null, isDifference: boolean): Promise<LoadResult> => {
  const semiSpaceMib = Number(values['semi-space'])
  const asked = { ...terms, databaseUrl, isDifference, semiSpaceMib, isProfiled: values.profile }
  const { result, stored } = await measureConsole(asked)
  console.log(stored)
  return result
}

const measureForm = async (isDifference: boolean): Promise<void> => {
  const rows: [name: string, result: LoadResult][] = []
  /** Told at once, so that a run that ends early has said something. */
  const add = (name: string, result: LoadResult): LoadResult => {
    rows.push([name, result])
    console.log(`${name}: ${result.rate.toFixed(0)} reports/s, p99 ${milliseconds(result.p99Ms)}`)
    return result
  }
  const next = add('Next route, parses only', await measureNext(isDifference))
  const parsing = { ...terms, mostRate: MOST_PARSE_RATE, databaseUrl: null, isDifference }
  add('node:http, parses only', await measureOtherWay('parse', parsing))
  add('console on PGlite', await onConsole(null, isDifference))
  add("Prisma's model API on PGlite", await onPrisma(null, isDifference))
  if (serverUrl !== null) {
    add('console on PostgreSQL', await withDatabase((url) => onConsole(url, isDifference)))
    add("Prisma's model API on PostgreSQL", await withDatabase((url) => onPrisma(url, isDifference)))
  }
  const form = isDifference ? 'differences' : 'whole reports'
  printTable(
    `${form}: ${next.bytes.sent} bytes sent for an inventory of ${next.bytes.json} bytes, ${values.hosts} hosts with 8 pGPUs, ${values.connections} connections, one core`,
    [
      ['', 'reports/s', 'ratio', 'CPU', 'p50', 'p99', 'refused'],
      ...rows.map(([name, result]) => [
        name,
        result.rate.toFixed(0),
        times(result.rate / next.rate),
        `${result.cpuUs.toFixed(0)} us`,
        milliseconds(result.p50Ms),
        milliseconds(result.p99Ms),
        String(result.refused),
      ]),
    ],
  )
}

try {
  await buildConsole()
  await buildNextApp()
  if (values.form !== 'whole') await measureForm(true)
  if (values.form !== 'difference') await measureForm(false)
} finally {
  await ownServer?.stop()
}
