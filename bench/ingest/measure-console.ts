import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { buildProgram } from '@/scripts/build-program'
import type { LoadResult, LoadSettings } from './load'
import { LOAD_CORE, SERVER_CORE, startPinned } from './pinned-process'

const WARM_REPORTS = 12
const root = join(import.meta.dirname, '..', '..')
const bundle = join(root, 'dist', 'bench-console.mjs')
const otherBundle = join(root, 'dist', 'bench-other-way.mjs')

/** `maxRate`: reports a second for which bodies are made beforehand. */
export type LoadTerms = {
  seconds: number
  connections: number
  hosts: number
  maxRate: number
  perSecond?: number
}
export type RunningLoad = { warm: Promise<unknown>; result: Promise<LoadResult> }

export const buildConsole = async (): Promise<void> => {
  await buildProgram({ entry: 'bench/ingest/console.ts', outfile: bundle, sourcemap: true })
  await buildProgram({ entry: 'bench/ingest/other-way.ts', outfile: otherBundle, sourcemap: true })
}

/** Reports from the other core, as fast as they are answered or `perSecond`. */
export const startLoad = (
  target: Pick<LoadSettings, 'port' | 'path' | 'pid'>,
  { seconds, connections, hosts, maxRate, perSecond }: LoadTerms,
): RunningLoad => {
  const settings: LoadSettings = {
    ...target,
    hosts,
    connections,
    reportsPerHost: WARM_REPORTS + Math.ceil((seconds * maxRate) / hosts),
    warmReportsPerHost: WARM_REPORTS,
    seconds,
    ...(perSecond === undefined ? {} : { perSecond }),
  }
  const args = ['--import', 'tsx', join('bench', 'ingest', 'load.ts'), JSON.stringify(settings)]
  const running = startPinned({ core: LOAD_CORE, cwd: root, args })
  const result = running.printed(/^\{.*\}$/m).then(([line]) => JSON.parse(line) as LoadResult)
  return { warm: running.printed(/^warm$/m), result }
}

export const load = (...input: Parameters<typeof startLoad>): Promise<LoadResult> =>
  startLoad(...input).result

export type ConsoleTerms = LoadTerms & {
  databaseUrl: string | null
  /** Of PGlite; without it a new one. */
  dataDirectory?: string
  isProfiled: boolean
}

/** The console's agent API on one core: on PGlite without an address. `stored`: what it then holds, as a line. */
export const measureConsole = async (
  terms: ConsoleTerms,
): Promise<{ result: LoadResult; stored: string | undefined }> => {
  const { databaseUrl, hosts } = terms
  const folder = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  const dataDirectory = terms.dataDirectory ?? folder
  const settings = { databaseUrl, dataDirectory: databaseUrl === null ? dataDirectory : null, hosts }
  const profiling = terms.isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${join(root, 'dist', 'profile')}`] : []
  const console = startPinned({
    core: SERVER_CORE,
    cwd: root,
    args: [...profiling, '--enable-source-maps', bundle, JSON.stringify(settings)],
  })
  const [, port] = await console.printed(/listens on (\d+)/)
  const target = { port: Number(port), path: AGENT_PATHS.reports, pid: console.pid }
  const result = await load(target, terms)
  const output = await console.stop()
  await rm(folder, { recursive: true, force: true })
  return { result, stored: output.split('\n').find((line) => line.startsWith('stored')) }
}

/** What other-way.ts reports of itself, on the console's core. */
export const measureOtherWay = async (
  way: 'parse' | 'prisma',
  terms: LoadTerms & Pick<ConsoleTerms, 'databaseUrl'>,
): Promise<LoadResult> => {
  const { databaseUrl, hosts } = terms
  const folder = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  const settings = { way, databaseUrl, dataDirectory: databaseUrl === null ? folder : null, hosts }
  const server = startPinned({
    core: SERVER_CORE,
    cwd: root,
    args: [otherBundle, JSON.stringify(settings)],
  })
  const [, port] = await server.printed(/listens on (\d+)/)
  const target = { port: Number(port), path: '/parse', pid: server.pid }
  const result = await load(target, terms)
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  return result
}
