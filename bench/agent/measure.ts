import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { median } from '../quantile'

/** CPU time (user and system) and the largest resident set of one process. */
export type Cost = { cpuMs: number; peakMib: number | null; wallMs: number }

const medianCost = (costs: Cost[]): Cost => {
  const peaks = costs.flatMap(({ peakMib }) => (peakMib === null ? [] : [peakMib]))
  return {
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    peakMib: peaks.length === 0 ? null : median(peaks),
  }
}

/** A Node process reports its own use when it ends, on file descriptor 3. */
const REPORT_USE = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))",
)}`

type Usage = { userCPUTime: number; systemCPUTime: number; maxRSS: number }

const runNode = (words: string[]): Cost => {
  const started = performance.now()
  const { status, output, stderr } = spawnSync(process.execPath, ['--import', REPORT_USE, ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  const wallMs = performance.now() - started
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}: ${stderr}`)
  const usage: Usage = JSON.parse(output[3] ?? '')
  return { cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1000, peakMib: usage.maxRSS / 1024, wallMs }
}

/** Median of several runs of one Node program, each a separate process; the first is left out (cold files). */
export const measureNode = (words: string[], runs: number): Cost =>
  medianCost(Array.from({ length: runs + 1 }, () => runNode(words)).slice(1))

/** bash's own clock, for a program that does not tell: `user system wall` in seconds. */
const bashTime = (line: string, runs: number): { cpuMs: number; wallMs: number } => {
  const script = `TIMEFORMAT='%3U %3S %3R'; time for i in $(seq ${runs}); do ${line} >/dev/null; done`
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  const [user = 0, system = 0, wall = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (status !== 0) throw new Error(`${line} failed: ${stderr}`)
  return { cpuMs: ((user + system) * 1000) / runs, wallMs: (wall * 1000) / runs }
}

/** Kilobytes by GNU time, when it is installed. */
const peakMib = (line: string): number | null => {
  if (!existsSync('/usr/bin/time')) return null
  const words = ['-f', '%M', 'bash', '-c', `exec ${line} >/dev/null`]
  const { stderr } = spawnSync('/usr/bin/time', words, { encoding: 'utf8' })
  return Number(stderr.trim().split('\n').at(-1)) / 1024
}

/** Mean of many runs of any program, given as a line for bash. */
export const measureCommand = (line: string, runs: number): Cost => ({
  ...bashTime(line, runs),
  peakMib: peakMib(line),
})

export const isInstalled = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0

export const outputOf = (line: string): string => execFileSync('bash', ['-c', line], { encoding: 'utf8' })
