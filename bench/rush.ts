/**
 * `npm run bench:rush [-- --hosts 10000 --honest 50 --changed 10 --pglite --spread 30]`: a console that was away for a day comes
 * back, and all agents send what waited at once (R8 of docs/reliability.md), obeying Retry-After with the agent's own back-off: a
 * report where something changed in the meantime (of `--changed` percent of the hosts), else a heartbeat. The same where the console
 * knows no host, so that each sends its first report. Until when all are fresh, how the console answers, what hosts that were
 * never away notice, and its memory; compared with first reports spread over some seconds, as an ordinary day would have them. The
 * built console in a separate process, on a PostgreSQL of the benchmark's own.
 */
import { parseArgs } from 'node:util'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { isBuilt } from './fleet/console-process'
import { quantile } from './quantile'
import { type MeasuredRush, measureRush } from './rush/measure-rush'

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    honest: { type: 'string', default: '50' },
    spread: { type: 'string', default: '30' },
    changed: { type: 'string', default: '10' },
    pglite: { type: 'boolean', default: false },
  },
})
const [hosts, honest] = [Number(values.hosts), Number(values.honest)]

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}
if (!isBuilt()) stop('The console is not built: run "npm run build" first.')
const binaries = values.pglite ? null : findPostgresBinaries()
if (!values.pglite && binaries === null)
  stop('No PostgreSQL is installed here: install one, or measure with --pglite.')
const postgres = binaries === null ? null : await startPrivatePostgres(binaries, { isDurable: true })

const atShare = (ms: readonly number[], share: number): string => `${quantile(ms, share).toFixed(0)} ms`

const distribution = (ms: readonly number[]): string =>
  `p50 ${atShare(ms, 0.5)}, p99 ${atShare(ms, 0.99)}, most ${atShare(ms, 1)}`

const linesOf = (
  name: string,
  { rush, wholeMs, quiet, duringRush, stored, memory }: MeasuredRush,
): string[] => [
  `${name}: ${hosts} hosts, ${stored} stored once`,
  `  fresh after ${distribution(rush.doneMs)} from each host's first try; ${rush.doneMs.filter((ms) => ms <= 2000).length} within 2 s`,
  `  last try ${distribution(rush.tryMs)}`,
  `  all after ${(wholeMs / 1000).toFixed(1)} s: ${Math.round(hosts / (wholeMs / 1000))} acknowledged a second`,
  `  answers ${JSON.stringify(rush.answers)}`,
  `  heartbeats of ${honest} other hosts: quiet ${distribution(quiet.ms)} (${quiet.ms.length}, ${quiet.refused} refused); during the rush ${distribution(duringRush.ms)} (${duringRush.ms.length}, ${duringRush.refused} refused)`,
  `  console's memory ${memory.beforeMib} MiB before, ${memory.peakMib} MiB at most`,
]

const serverUrl = postgres?.url ?? null
process.stdout.write(`${postgres === null ? 'PGlite' : 'PostgreSQL'}\n`)
try {
  for (const [name, spreadMs, changedPercent] of [
    [`known, ${values.changed} % changed, all at once`, 0, Number(values.changed)],
    ['unknown, all at once', 0, null],
    [`control: unknown, spread over ${values.spread} s`, Number(values.spread) * 1000, null],
  ] as const) {
    const measured = await measureRush({ hosts, honest, spreadMs, serverUrl, changedPercent })
    process.stdout.write(`${linesOf(name, measured).join('\n')}\n`)
  }
} finally {
  await postgres?.stop()
}
