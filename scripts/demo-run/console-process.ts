import type { ChildProcess } from 'node:child_process'
import { DemoError } from './demo-options'
import { signalChild, spawnNode } from './spawn-node'

export type ConsoleProcess = {
  url: string
  /** Settles when the process has ended, for any reason. */
  ended: Promise<void>
  stop: () => Promise<void>
}

export type ConsoleOptions = {
  root: string
  /** What node is given: the bundle, or tsx and the source. */
  args: string[]
  env: Record<string, string>
  /** Lines of the server for the person at the terminal. */
  onLine: (line: string) => void
  /** Ends a start that takes long. */
  signal: AbortSignal
}

const START_LIMIT_MS = 120_000
/** The console itself takes four at most. */
const STOP_LIMIT_MS = 4500
const LISTENING = /listens on (http:\/\/\S+)/

const forwardLines = (child: ChildProcess, onLine: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    })
  }
}

/** The sentence of a line of the console's log, which is JSON; any other line as it is. */
const sentenceOf = (line: string): string => {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? String(entry.msg) : line
  } catch (error) {
    if (error instanceof SyntaxError) return line
    throw error
  }
}

/** Waits for the line with the address; what was printed before belongs to the error if there is one. */
const addressOf = (child: ChildProcess, { onLine, signal }: ConsoleOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const printed: string[] = []
    let hasStarted = false
    const fail = (why: string): void => {
      settle()
      reject(new DemoError(`${printed.map(sentenceOf).join('\n')}\nThe console ${why}.`))
    }
    const onAbort = (): void => fail('was stopped at its start')
    const timer = setTimeout(() => fail(`printed nothing for ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS)
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    forwardLines(child, (line) => {
      if (hasStarted) {
        onLine(line)
        return
      }
      printed.push(line)
      const address = LISTENING.exec(line)?.[1]
      if (address === undefined) return
      hasStarted = true
      settle()
      resolve(address)
    })
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    child.once('close', () => fail('ended at its start'))
  })

/** Starts the console and waits until it listens. */
export const startConsole = async (options: ConsoleOptions): Promise<ConsoleProcess> => {
  const child = spawnNode(options.args, {
    cwd: options.root,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe'],
    hasOwnGroup: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await addressOf(child, options).catch(async (error: unknown) => {
    await stopProcess(child, ended)
    throw error
  })
  return { url, ended, stop: () => stopProcess(child, ended) }
}

const stopProcess = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  signalChild(child, 'SIGTERM')
  const timer = setTimeout(() => signalChild(child, 'SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
  signalChild(child, 'SIGKILL')
}
