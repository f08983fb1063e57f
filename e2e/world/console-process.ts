import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'

export type ConsoleProcess = { url: string; stop: () => Promise<void>; output: () => string }

const START_LIMIT_MS = 90_000

const waitForAddress = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const give = (act: () => void) => {
      clearTimeout(timer)
      child.stdout?.off('data', look)
      act()
    }
    const timer = setTimeout(
      () => give(() => reject(new Error(`The console did not start:\n${output()}`))),
      START_LIMIT_MS,
    )
    const look = () => {
      const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output())?.[0]
      if (address) give(() => resolve(address))
    }
    child.stdout?.on('data', look)
    child.on('close', () => give(() => reject(new Error(`The console ended at its start:\n${output()}`))))
  })

/**
 * PGlite is WebAssembly, whose optimising compiler takes more of the processor than it gives back in a console that lives for
 * one test.
 */
const NODE_FLAGS = ['--liftoff-only']

/** Starts the production build on a free port with its own database. */
export const startConsole = async (env: Record<string, string> = {}): Promise<ConsoleProcess> => {
  const folder = makeTemporaryDirectory('e2e')
  const child = spawn(process.execPath, [...NODE_FLAGS, 'dist/server.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SLICEBOARD_DATA_DIR: path.join(folder, 'data'),
      SLICEBOARD_PORT: '0',
      SLICEBOARD_OPENSTACK: 'off',
      SLICEBOARD_CLOUD: 'paris-prod',
      SLICEBOARD_REGION: 'RegionOne',
      ...env,
    },
  })
  const chunks: string[] = []
  const output = () => chunks.join('')
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    // A run of all tests looks through what every console wrote.
    const logs = process.env.SLICEBOARD_RUN_LOGS
    if (logs !== undefined) appendFileSync(path.join(logs, 'consoles.log'), output())
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { url: await waitForAddress(child, output), stop, output }
  } catch (err) {
    await stop()
    throw err
  }
}
