import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '@/scripts/build-program'

const root = path.join(import.meta.dirname, '../../../../..')

/** Bundles the entry of a process, so that a start takes no compiler's time. */
export const bundleEntry = async (entry: URL): Promise<string> => {
  const source = fileURLToPath(entry)
  const outfile = path.join(
    root,
    'node_modules/.cache/sliceboard-crash',
    `${path.basename(source, '.ts')}-${process.pid}.mjs`,
  )
  await buildProgram({ entry: source, outfile })
  return outfile
}

export type CrashProcess = {
  /** What it has written so far. */
  output: () => string
  /** Resolves with the match as soon as standard output holds it; rejects when the process ends before. */
  announced: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Kills it with SIGKILL and waits until it has ended. Rejects if it had already ended. */
  kill: () => Promise<void>
}

export const startProcess = (file: string, settings: unknown): CrashProcess => {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--enable-source-maps', file, JSON.stringify(settings)],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let text = ''
  const gone = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  return {
    output: () => text,
    announced: async (pattern) => {
      for (;;) {
        const match = pattern.exec(text)
        if (match !== null) return match
        if (hasEnded()) throw new Error(`${path.basename(file)} ended before it was ready:\n${text}`)
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 10))])
      }
    },
    kill: async () => {
      if (hasEnded()) throw new Error(`${path.basename(file)} ended unexpectedly:\n${text}`)
      child.kill('SIGKILL')
      await gone
    },
  }
}
