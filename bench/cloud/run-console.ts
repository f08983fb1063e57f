import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLOUD } from '@/e2e/world/clouds-yaml'
import { type ConsoleProcess, startConsole } from '../fleet/console-process'
import type { BenchDatabase } from '../fleet/open-bench-database'
import { type LoopWindow, readWindow } from './loop-window'

/** A round that the console has read, stored and judged. */
export type JudgedRound = { number: number; openFindings: number; unconfirmed: number; atMs: number }

export type MeasuredConsole = Omit<ConsoleProcess, 'pid'> & {
  port: number
  /** Resolves with the next round that is judged after this call. */
  nextRound: () => Promise<JudgedRound>
  /** What was measured since the last call. */
  window: () => Promise<LoopWindow>
}

const DAY_SECONDS = '86400'

const roundOf = (line: string): Omit<JudgedRound, 'atMs'> | null => {
  if (!line.includes('Read the cloud')) return null
  const { roundNumber, openFindings, unconfirmed } = JSON.parse(line) as Record<string, number>
  return { number: roundNumber ?? 0, openFindings: openFindings ?? 0, unconfirmed: unconfirmed ?? 0 }
}

/** The built console with the probe, on the given database. `cloudsFile` null: without OpenStack. */
export const runConsole = async (
  bench: BenchDatabase,
  { cloudsFile, intervalSeconds = 30 }: { cloudsFile: string | null; intervalSeconds?: number },
): Promise<MeasuredConsole> => {
  const socket = join(tmpdir(), `sliceboard-probe-${process.pid}-${Date.now()}`)
  const waiting: ((round: JudgedRound) => void)[] = []
  const startedMs = performance.now()
  const onLog = (line: string): void => {
    const round = roundOf(line)
    if (round !== null)
      for (const resolve of waiting.splice(0)) resolve({ ...round, atMs: performance.now() - startedMs })
    else if (/"level":"(error|fatal)"/.test(line)) process.stderr.write(`${line.slice(0, 400)}\n`)
  }
  const env = {
    ...bench.env,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'console-probe.mjs')}`,
    BENCH_PROBE: socket,
    LOG_LEVEL: 'debug',
    SLICEBOARD_CLOUD: CLOUD,
    SLICEBOARD_REGION: 'RegionOne',
    SLICEBOARD_SILENT_AFTER_SECONDS: DAY_SECONDS,
    SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND: '100000',
    SLICEBOARD_READ_INTERVAL_SECONDS: String(intervalSeconds),
    ...(cloudsFile === null
      ? { SLICEBOARD_OPENSTACK: 'off' }
      : { SLICEBOARD_OPENSTACK: 'auto', OS_CLIENT_CONFIG_FILE: cloudsFile }),
  }
  const console = await startConsole(env, { onLog })
  let stopping: Promise<void> | null = null
  return {
    address: console.address,
    port: Number(new URL(console.address).port),
    stop: () => {
      stopping ??= console.stop()
      return stopping
    },
    nextRound: () => new Promise((resolve) => waiting.push(resolve)),
    window: () => readWindow(socket),
  }
}
