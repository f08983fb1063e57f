import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { buildProgram } from '@/scripts/build-program'

export type Child = {
  process: ChildProcess
  /** Each whole line of its standard output so far. */
  lines: string[]
  errors: string[]
  /** Resolves with the first line that matches, also with one that has come already; rejects when it ends before. */
  line: (pattern: RegExp) => Promise<string>
  kill: (signal: NodeJS.Signals) => Promise<number | null>
}

export type ChildProgram = {
  start: (args: string[], env?: Record<string, string>) => Child
  remove: () => Promise<void>
}

const startChild = (script: string, args: string[], env: Record<string, string>): Child => {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  const errors: string[] = []
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    process: child,
    lines,
    errors,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return resolve(found)
        output.on('line', (line) => pattern.test(line) && resolve(line))
        void ended.then((code) => reject(new Error(`It ended with ${code}: ${errors.join('\n')}`)))
      }),
    kill: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/** One of our modules as a separate program, for tests that need another process. Bundled once, so it starts fast. */
export const bundleProgram = async (entry: string): Promise<ChildProgram> => {
  // Below the root, so that packages are found.
  const directory = await mkdtemp(join(rootDirectory(), 'node_modules', '.sliceboard-test-'))
  const script = join(directory, 'program.mjs')
  await buildProgram({ entry, outfile: script, logLevel: 'error' })
  return {
    start: (args, env = {}) => startChild(script, args, env),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
