import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

export const SERVER_CORE = 0
export const LOAD_CORE = 1

export type PinnedProcess = {
  pid: number
  /** Resolves with the match of the first output that fits. */
  printed: (pattern: RegExp) => Promise<RegExpExecArray>
  ended: Promise<void>
  stop: () => Promise<string>
}

/** Keeps this process, with all its threads, to one core. */
export const pinSelf = (core: number): void => {
  execFileSync('taskset', ['-acp', String(core), String(process.pid)], { stdio: 'ignore' })
}

/** Starts a Node.js process on one core. */
export const startPinned = ({
  core,
  args,
  cwd,
}: {
  core: number
  args: string[]
  cwd: string
}): PinnedProcess => {
  const child: ChildProcess = spawn('taskset', ['-c', String(core), process.execPath, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  let output = ''
  const waiting = new Set<() => void>()
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    for (const look of waiting) look()
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { pid } = child
  if (pid === undefined) throw new Error('taskset is missing: install util-linux.')
  return {
    // taskset replaces itself by the process that it starts.
    pid,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match === null) return
          waiting.delete(look)
          resolve(match)
        }
        waiting.add(look)
        look()
        child.once('exit', () => reject(new Error(`a process of the benchmark ended early: ${output}`)))
      }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      return output
    },
  }
}
