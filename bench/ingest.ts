/**
 * `npm run bench:ingest [-- --seconds 10 --connections 32 --hosts 400]`: reports that the console authenticates, checks and
 * commits on one core, against a Next route handler that only parses the same bodies. Once with reports as agents send them,
 * as differences, and once with whole ones. Each on a fresh PGlite in a temporary folder, and on the PostgreSQL at
 * TEST_DATABASE_URL when that is set. `--form difference`, `--form whole`: only that.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable, times } from './fleet/print-table'
import type { LoadResult } from './ingest/load'
import { buildConsole, LOAD_CORE, load, measureConsole, SERVER_CORE } from './ingest/measure-console'
import { startPinned } from './ingest/pinned-process'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    hosts: { type: 'string', default: '400' },
    form: { type: 'string', default: 'both' },
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
  mostRate: 3000,
}

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

const onConsole = async (databaseUrl: string | null, isDifference: boolean): Promise<LoadResult> => {
  const asked = { ...terms, databaseUrl, isDifference, isProfiled: values.profile }
  const { result, stored } = await measureConsole(asked)
  console.log(stored)
  return result
}

const measureForm = async (isDifference: boolean): Promise<void> => {
  const next = await measureNext(isDifference)
  const rows: [name: string, result: LoadResult][] = [
    ['Next route, parses only', next],
    ['console on PGlite', await onConsole(null, isDifference)],
  ]
  if (serverUrl !== null) {
    const database = await createBenchDatabase(serverUrl)
    rows.push(['console on PostgreSQL', await onConsole(database.env.DATABASE_URL ?? null, isDifference)])
    await database.remove()
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

const serverUrl = process.env.TEST_DATABASE_URL?.trim() || null
await buildConsole()
await buildNextApp()
if (values.form !== 'whole') await measureForm(true)
if (values.form !== 'difference') await measureForm(false)
