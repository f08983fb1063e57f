import { execFile } from 'node:child_process'
import { isAbsent } from '../collect/host-error'
import { isMissingProgram } from '../collect/missing-program'
import { Failure, TimedOut } from './refusal'

const MAX_OUTPUT_BYTES = 1024 * 1024

const execute = (program: string, words: readonly string[], timeoutMs: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(program, words.slice(1), options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`
      if (error === null) resolve(output)
      else if (isMissingProgram(program, error.code)) resolve(null)
      else {
        const line = words.join(' ')
        reject(
          error.killed === true && error.code === null
            ? new TimedOut(`"${line}" gave no answer within ${timeoutMs / 1000} s.`, output)
            : new Failure(`"${line}" ended with ${error.code ?? error.signal}.`, output),
        )
      }
    })
  })

/**
 * Runs a command line without a shell; null when there is no such program. Throws `Failure` when it fails. With `locate`
 * only a program of the tree itself is run, never one of this machine.
 */
export const runLine = async (
  words: readonly string[],
  { locate, timeoutMs }: { locate: ((file: string) => string) | null; timeoutMs: number },
): Promise<string | null> => {
  const [program = ''] = words
  if (locate === null) return execute(program, words, timeoutMs)
  if (!program.startsWith('/')) return null
  try {
    return await execute(locate(program), words, timeoutMs)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}
