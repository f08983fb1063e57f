import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')

export type ConsoleProcess = { address: string; pid: number; stop: () => Promise<void> }

export const isBuilt = (): boolean =>
  existsSync(join(root, 'dist', 'server.mjs')) && existsSync(join(root, '.next', 'BUILD_ID'))

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const match = /listens on (http:\/\/\S+)/.exec(output)
      if (match?.[1] !== undefined) resolve(match[1])
    })
    child.once('exit', (code) => reject(new Error(`the console ended with ${code}: ${output}`)))
  })

/** The built production server on a free loopback port; on one core where that is named. `onLog` gets its log line by line. */
export const startConsole = async (
  env: Record<string, string>,
  { core, onLog }: { core?: number; onLog?: (line: string) => void } = {},
): Promise<ConsoleProcess> => {
  const program = [process.execPath, join(root, 'dist', 'server.mjs')]
  const [command = '', ...args] = core === undefined ? program : ['taskset', '-c', String(core), ...program]
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', onLog === undefined ? 'inherit' : 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', SLICEBOARD_PORT: '0', LOG_LEVEL: 'warn', ...env },
  })
  if (onLog !== undefined && child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLog)
  const address = await addressOf(child)
  return {
    address,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
