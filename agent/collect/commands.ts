import { execFile } from 'node:child_process'
import { cleanText, firstLine } from './clean-text'
import type { HostFiles } from './host-files'
import { isMissingProgram } from './missing-program'
import type { ProblemLog } from './problem-log'

/** Runs read-only commands. With `--root` it executes nothing and reads what a capture of the host holds instead. */
export type Commands = {
  /**
   * Standard output; null when the command is not there, or failed (then with a problem). An output that is not older than
   * `maxAgeMs` is used again. A command that fails with words like `saysNone` has nothing to print.
   */
  output(command: string, args: readonly string[], options?: OutputOptions): Promise<string | null>
}

type OutputOptions = { maxAgeMs: number; saysNone?: RegExp }

/** Outputs of earlier scans of the same process, by command line. */
export type CommandMemory = Map<string, { output: string; takenAtMs: number }>

/** nvidia-smi takes its time on a host with many GPUs and no persistence mode. */
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024

/** `nvidia-smi vgpu -q` is kept as `nvidia-smi-vgpu-q.txt`. */
export const capturePath = (line: string): string =>
  `/.sliceboard/commands/${line.replace(/[^A-Za-z0-9]+/g, '-')}.txt`

/** `words`: the first line of what a command said that failed. */
type Outcome = { output: string; problem: string | null; isMissing: boolean; words?: string }

const execute = (command: string, args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      // virsh and nvidia-smi word their output by locale.
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(command, [...args], options, (err, stdout, stderr) => {
      if (err === null) resolve({ output: stdout, problem: null, isMissing: false })
      else if (isMissingProgram(command, err.code)) resolve({ output: '', problem: null, isMissing: true })
      else {
        const why = err.killed
          ? `gave no answer within ${TIMEOUT_MS / 1000} s`
          : `ended with ${err.code ?? err.signal}`
        const words = firstLine(stderr) || firstLine(stdout)
        resolve({ output: '', problem: words === '' ? why : `${why}: ${words}`, isMissing: false, words })
      }
    })
  })

export const createCommands = ({
  files,
  problems,
  memory,
}: {
  files: HostFiles
  problems: ProblemLog
  memory: CommandMemory
}): Commands => {
  const run = async (line: string, argv: readonly [string, ...string[]], saysNone?: RegExp) => {
    const [command, ...args] = argv
    const { output, problem, isMissing, words = '' } = await execute(command, args)
    memory.delete(line)
    if (problem !== null && saysNone?.test(words) !== true) {
      problems.add({ source: line, code: 'command-failed', message: `"${line}" ${problem}.` })
      return null
    }
    if (isMissing) return null
    memory.set(line, { output: cleanText(output), takenAtMs: performance.now() })
    return cleanText(output)
  }

  return {
    output: async (command, args, options) => {
      const line = [command, ...args].join(' ')
      if (files.root !== '/') return files.text(capturePath(line), { limitBytes: MAX_OUTPUT_BYTES })
      const held = memory.get(line)
      const isFresh = held !== undefined && performance.now() - held.takenAtMs < (options?.maxAgeMs ?? 0)
      return isFresh ? held.output : run(line, [command, ...args], options?.saysNone)
    },
  }
}
