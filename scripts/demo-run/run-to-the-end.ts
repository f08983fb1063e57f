import path from 'node:path'
import { followParent } from '@/lib/server/process/follow-parent'
import { DemoError, type DemoOptions, demoHelp, parseDemoOptions } from './demo-options'
import { type ConsoleKind, type DemoContext, runDemo } from './run-demo'

export type DemoCommand = {
  /** `demo` or `dev`, as in package.json. */
  name: string
  defaultDirectory: string
  prepare: (context: DemoContext) => Promise<ConsoleKind>
}

const errorSentence = (error: unknown): string => {
  if (error instanceof DemoError) return error.message.trim()
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EACCES' || code === 'EPERM') {
    return `${error instanceof Error ? error.message : ''}\nThe folder belongs to another user, perhaps root: remove it as that user, or give another with --directory.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What stops the demo expects it to be over after five seconds. */
const STOP_LIMIT_MS = 4800

/** From the command line to the exit code: 0 after Ctrl-C, 1 when something failed, 2 for wrong options. */
export const runToTheEnd = async (command: DemoCommand): Promise<number> => {
  const stop = new AbortController()
  // The terminal signals the whole group and npm passes it on: one Ctrl-C may arrive several times.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort())
  // Nothing of the demo outlives this process, so it need not wait longer.
  stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref())
  if (process.env.npm_lifecycle_event !== undefined) followParent(() => stop.abort())
  // The terminal may be closed while there is still something to say.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const context: DemoContext = {
    root: path.join(import.meta.dirname, '..', '..'),
    signal: stop.signal,
    say: (line) => console.log(line),
  }
  let options: DemoOptions | null
  try {
    options = parseDemoOptions(process.argv.slice(2), command.defaultDirectory)
  } catch (error) {
    console.error(errorSentence(error))
    return 2
  }
  if (options === null) {
    console.log(demoHelp(command.name))
    return 0
  }
  try {
    const kind = await command.prepare(context)
    return stop.signal.aborted || (await runDemo(options, kind, context)) ? 0 : 1
  } catch (error) {
    // What Ctrl-C cut off is no failure.
    if (stop.signal.aborted) return 0
    console.error(errorSentence(error))
    return 1
  }
}
