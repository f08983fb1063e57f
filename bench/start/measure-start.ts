import { spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@/scripts/demo-run/free-port'
import { ask } from '../fleet/measure'
import { mebibytesOf } from '../fleet/process-memory'

const root = join(import.meta.dirname, '..', '..')
const LIMIT_MS = 120_000
/** A console that was just asked has collected nothing yet. */
const SETTLES_MS = 5000

/** Since the process was made: the first healthy answer, all pGPUs as columns, the page with them; memory some seconds later. */
export type Start = {
  healthMs: number
  gpusMs: number
  pageMs: number
  residentMib: number
  peakMib: number
}

/** One start of the built server on a database that is there already. */
export const measureStart = async (env: Record<string, string>): Promise<Start> => {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join('dist', 'server.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      ...env,
      SLICEBOARD_PORT: String(port),
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const agent = new Agent({ keepAlive: true })
  const fetchPath = (path: string) => ask(new URL(path, `http://127.0.0.1:${port}`), { agent })
  const sinceStart = (): number => performance.now() - startedAt
  const untilFine = async (path: string): Promise<number> => {
    while (sinceStart() < LIMIT_MS && child.exitCode === null) {
      const answer = await fetchPath(path).catch(() => null)
      if (answer?.status === 200) return sinceStart()
      await wait(5)
    }
    throw new Error(`${path} did not answer with 200 within ${LIMIT_MS / 1000} s`)
  }
  try {
    const healthMs = await untilFine('/api/health')
    const gpusMs = await untilFine('/api/v1/gpus')
    const pageMs = await untilFine('/gpus')
    await wait(SETTLES_MS)
    const pid = child.pid ?? 0
    const [residentMib, peakMib] = [mebibytesOf(pid, 'VmRSS'), mebibytesOf(pid, 'VmHWM')]
    return { healthMs, gpusMs, pageMs, residentMib, peakMib }
  } finally {
    agent.destroy()
    child.kill('SIGTERM')
    await ended
  }
}
