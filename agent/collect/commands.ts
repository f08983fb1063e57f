import { execFile } from 'node:child_process'
import { cleanText, firstLine } from './clean-text'
import type { HostFiles } from './host-files'
import { isMissingProgram } from './missing-program'
import type { ProblemLog } from './problem-log'

/** Result of a command that was started. */
export type Attempt = {
  stdout: string
  stderr: string
  /** `ended with 14`, `gave no answer within 20 s`; null: it succeeded. */
  failure: string | null
}

/** Runs read-only commands. With `--root` it executes nothing and reads what a capture of the host holds instead. */
export type Commands = {
  /** Null when the command is not there. What it printed counts even where it failed: the caller decides. */
  attempt(command: string, args: readonly string[], options?: AttemptOptions): Promise<Attempt | null>
  /**
   * Standard output; null when the command is not there, or failed (then with a problem). A command that fails with words like
   * `saysNone` has nothing to print.
   */
  output(command: string, args: readonly string[], options?: OutputOptions): Promise<string | null>
}

type AttemptOptions = {
  /** An output that is not older is used again. */
  maxAgeMs?: number
  /** Whether what a failed command printed is complete enough to be kept. */
  isUsable?: (stdout: string) => boolean
}
type OutputOptions = AttemptOptions & { saysNone?: RegExp }

/** Attempts of earlier scans of the same process, by command line. */
export type CommandMemory = Map<string, { attempt: Attempt; takenAtMs: number }>

/** nvidia-smi takes its time on a host with many GPUs and no persistence mode. */
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024

/** `nvidia-smi vgpu -q` is kept as `nvidia-smi-vgpu-q.txt`. */
export const capturePath = (line: string): string =>
  `/.sliceboard/commands/${line.replace(/[^A-Za-z0-9]+/g, '-')}.txt`

/** Null: there is no such program. */
const execute = (command: string, args: readonly string[]): Promise<Attempt | null> =>
  new Promise((resolve) => {
    const options = {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      // virsh and nvidia-smi word their output by locale.
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(command, [...args], options, (err, stdout, stderr) => {
      const printed = { stdout: cleanText(stdout), stderr: cleanText(stderr) }
      if (err === null) resolve({ ...printed, failure: null })
      else if (isMissingProgram(command, err.code)) resolve(null)
      else {
        const failure = err.killed
          ? `gave no answer within ${TIMEOUT_MS / 1000} s`
          : `ended with ${err.code ?? err.signal}`
        resolve({ ...printed, failure })
      }
    })
  })

/** The first line of output of a failed command. */
const wordsOf = ({ stdout, stderr }: Attempt): string => firstLine(stderr) || firstLine(stdout)

/** `ended with 9: NVIDIA-SMI has failed`. */
export const failureText = (attempt: Attempt): string => {
  const words = wordsOf(attempt)
  return words === '' ? `${attempt.failure}` : `${attempt.failure}: ${words}`
}

export const createCommands = ({
  files,
  problems,
  memory,
}: {
  files: HostFiles
  problems: ProblemLog
  memory: CommandMemory
}): Commands => {
  const attempt: Commands['attempt'] = async (command, args, options) => {
    const line = [command, ...args].join(' ')
    if (files.root !== '/') {
      const text = files.text(capturePath(line), { limitBytes: MAX_OUTPUT_BYTES })
      return text === null ? null : { stdout: text, stderr: '', failure: null }
    }
    const held = memory.get(line)
    if (held !== undefined && performance.now() - held.takenAtMs < (options?.maxAgeMs ?? 0))
      return held.attempt
    memory.delete(line)
    const made = await execute(command, args)
    if (made !== null && (made.failure === null || options?.isUsable?.(made.stdout) === true))
      memory.set(line, { attempt: made, takenAtMs: performance.now() })
    return made
  }

  return {
    attempt,
    output: async (command, args, options) => {
      const made = await attempt(command, args, options)
      if (made === null) return null
      if (made.failure === null || options?.isUsable?.(made.stdout) === true) return made.stdout
      if (options?.saysNone?.test(wordsOf(made)) === true) return ''
      const line = [command, ...args].join(' ')
      problems.add({ source: line, code: 'command-failed', message: `"${line}" ${failureText(made)}.` })
      return null
    },
  }
}
