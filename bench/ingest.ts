/**
 * `npm run bench:ingest [-- --seconds 10 --connections 32 --hosts 400]`: reports that the console authenticates, checks and
 * commits on one core, against a Next route handler that only parses the same bodies. Once with reports as agents send them,
 * as differences, and once with whole ones. Each on a fresh PGlite in a temporary folder, and on the PostgreSQL at
 * TEST_DATABASE_URL when that is set. `--form difference`, `--form whole`: only that.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable, times } from './fleet/print-table'
import type { LoadResult, LoadSettings } from './ingest/load'
import { startPinned } from './ingest/pinned-process'

const SERVER_CORE = 0
const LOAD_CORE = 1
const WARM_REPORTS = 12
/** Reports a second for which bodies are made beforehand. */
const MOST_RATE = 3000

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
const bundle = join(root, 'dist', 'bench-console.mjs')

const buildConsole = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['bench/ingest/console.ts'],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { 'server-only': './lib/server/empty.ts', '@': root },
    sourcemap: true,
    logLevel: 'warning',
  })

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

const load = async (
  target: Pick<LoadSettings, 'port' | 'path' | 'pid' | 'isDifference'>,
): Promise<LoadResult> => {
  const settings: LoadSettings = {
    ...target,
    hosts: Number(values.hosts),
    connections: Number(values.connections),
    reportsPerHost: WARM_REPORTS + Math.ceil((seconds * MOST_RATE) / Number(values.hosts)),
    warmReportsPerHost: WARM_REPORTS,
    seconds,
  }
  const args = ['--import', 'tsx', join('bench', 'ingest', 'load.ts'), JSON.stringify(settings)]
  const [line] = await startPinned({ core: LOAD_CORE, cwd: root, args }).said(/^\{.*\}$/m)
  return JSON.parse(line) as LoadResult
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
  const result = await load({ port: Number(port), path: '/parse', pid: next.pid, isDifference })
  await next.stop()
  return result
}

const measureConsole = async (databaseUrl: string | null, isDifference: boolean): Promise<LoadResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  const settings = {
    databaseUrl,
    dataDirectory: databaseUrl === null ? folder : null,
    hosts: Number(values.hosts),
  }
  const profiling = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${join(root, 'dist', 'profile')}`] : []
  const console = startPinned({
    core: SERVER_CORE,
    cwd: root,
    args: [
      ...profiling,
      '--max-semi-space-size=32',
      '--enable-source-maps',
      bundle,
      JSON.stringify(settings),
    ],
  })
  const [, port] = await console.said(/listens on (\d+)/)
  const result = await load({ port: Number(port), path: AGENT_PATHS.reports, pid: console.pid, isDifference })
  const output = await console.stop()
  globalThis.console.log(output.split('\n').find((line) => line.startsWith('stored')))
  await rm(folder, { recursive: true, force: true })
  return result
}

const measureForm = async (isDifference: boolean): Promise<void> => {
  const next = await measureNext(isDifference)
  const rows: [name: string, result: LoadResult][] = [
    ['Next route, parses only', next],
    ['console on PGlite', await measureConsole(null, isDifference)],
  ]
  if (serverUrl !== null) {
    const database = await createBenchDatabase(serverUrl)
    rows.push([
      'console on PostgreSQL',
      await measureConsole(database.env.DATABASE_URL ?? null, isDifference),
    ])
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
