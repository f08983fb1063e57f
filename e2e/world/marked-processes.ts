import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'

const MARK = 'STOPPING_SPEC_MARK'
const START_LIMIT_MS = 120_000

/** A command as a person starts it, with all that it starts in turn. */
export type Marked = {
  child: ChildProcess
  folder: string
  /** Resolves with the first match in its output. */
  output: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Every process that carries its mark, with any parent. */
  living: () => number[]
  remove: () => void
}

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}

/** In a new process group, as a shell starts a command. */
export const startMarked = (
  command: string,
  argsIn: (folder: string) => readonly string[],
  env: (folder: string) => Record<string, string>,
): Marked => {
  const folder = makeTemporaryDirectory('stopping')
  const mark = randomUUID()
  const child = spawn(command, argsIn(folder), {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env(folder), [MARK]: mark },
  })
  let text = ''
  const add = (chunk: Buffer): void => {
    text += chunk.toString()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const living = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${MARK}=${mark}`))
      .map(Number)
  return {
    child,
    folder,
    living,
    output: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(new Error(`it did not start:\n${text}`)), START_LIMIT_MS)
        const settle = (result: RegExpExecArray | Error): void => {
          clearTimeout(timer)
          child.stdout.off('data', look)
          if (result instanceof Error) reject(result)
          else resolve(result)
        }
        const look = (): void => {
          const match = pattern.exec(text)
          if (match !== null) settle(match)
        }
        child.stdout.on('data', look)
        child.once('close', () => settle(new Error(`it ended:\n${text}`)))
        look()
      }),
    remove: () => {
      for (const pid of living()) process.kill(pid, 'SIGKILL')
      rmSync(path.resolve(folder), { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
