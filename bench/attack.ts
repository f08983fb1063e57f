/**
 * `npm run bench:attack [-- --seconds 8]`: what honest hosts notice while another one attacks the console: gzip bombs, bodies
 * that do not end, floods. A console in a separate process with PGlite on one core; memory is its RSS from /proc.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { type Attack, BOMBS, flood, slowBodies } from './attack/attacks'
import { createHonestHosts } from './attack/honest-hosts'
import { mebibytesOf } from './fleet/process-memory'
import { buildConsole } from './ingest/measure-console'
import { SERVER_CORE, startPinned } from './ingest/pinned-process'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } })
const seconds = Number(values.seconds)
const root = join(import.meta.dirname, '..')
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

await buildConsole()
const folder = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
const settings = JSON.stringify({ databaseUrl: null, dataDirectory: folder, hosts: 120 })
const server = startPinned({
  core: SERVER_CORE,
  cwd: root,
  args: [join('dist', 'bench-console.mjs'), settings],
})
const port = Number((await server.printed(/listens on (\d+)/))[1])

const rssMb = (): number => mebibytesOf(server.pid, 'VmRSS')
/** Fields 14 and 15 of its stat, in hundredths of a second. */
const cpuMs = (): number => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const honest = await createHonestHosts({
  port,
  indexes: [110, 111, 112, 113, 114, 115, 116, 117],
  everyMs: 100,
})
const ms = (value: number): string => `${value.toFixed(1)} ms`

const report = async (name: string, run: () => Promise<Record<string, number>>): Promise<void> => {
  const [before, cpuBefore, startedAt] = [rssMb(), cpuMs(), performance.now()]
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, rssMb())
  }, 20)
  let answers: Record<string, number> = {}
  const work = Promise.all([run(), wait(2000)]).then(([result]) => {
    answers = result
  })
  const paced = await honest.during(work)
  clearInterval(watch)
  const busy = (cpuMs() - cpuBefore) / (performance.now() - startedAt)
  process.stdout.write(
    `${name}: honest p50 ${ms(paced.p50Ms)}, p99 ${ms(paced.p99Ms)}, most ${ms(paced.maxMs)}, ${paced.answered} answered, ${paced.refused} refused; console ${Math.round(busy * 100)} % of a core, memory ${Math.round(before)} MB, peak +${Math.round(peak - before)} MB; attacker ${JSON.stringify(answers)}\n`,
  )
}

const heartbeat = { 'x-sliceboard-position': '1.1', 'x-sliceboard-digest': 'A'.repeat(43) }
const spaces = Buffer.alloc(2_000_000, ' ')
const FLOODS: Attack[] = [
  flood('heartbeats', {
    path: AGENT_PATHS.heartbeats,
    body: Buffer.alloc(0),
    headers: heartbeat,
    seconds,
    index: 104,
  }),
  flood('reports that are no JSON', {
    path: AGENT_PATHS.reports,
    body: Buffer.from('{"a"'),
    seconds,
    index: 102,
  }),
  flood('reports of 2 MB', { path: AGENT_PATHS.reports, body: spaces, seconds, index: 103 }),
  flood('made-up credentials', { path: AGENT_PATHS.heartbeats, body: Buffer.alloc(0), seconds, index: null }),
]

const quiet = async () => {
  await wait(seconds * 1000)
  return {}
}
// The memory of a process that has worked: its first seconds take some permanently.
await report('to warm up', quiet)
for (const bomb of BOMBS) await bomb.run(port)
await wait(6000)
await report('quiet', quiet)
for (const attack of BOMBS) {
  await report(`100 bombs ${attack.name}`, () => attack.run(port))
  await wait(500)
}
await report('slow', () => slowBodies(seconds).run(port))
await report('quiet', quiet)
for (const attack of FLOODS) {
  await report(`flood of ${attack.name}`, () => attack.run(port))
  await wait(500)
}
await report('quiet', quiet)
honest.close()
await server.stop()
await rm(folder, { recursive: true, force: true })
