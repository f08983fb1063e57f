import { execFile } from 'node:child_process'
import { isAbsent } from '../collect/host-error'
import { isMissingProgram } from '../collect/missing-program'
import { Failure } from './refusal'

/** Stopping a nova-compute with many guests takes a while. */
const TIMEOUT_MS = 180_000
const MAX_OUTPUT_BYTES = 1024 * 1024

const execute = (program: string, words: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const options = {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(program, words.slice(1), options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`
      if (error === null) resolve(output)
      else if (isMissingProgram(program, error.code)) resolve(null)
      else {
        const why = error.killed
          ? `gave no answer within ${TIMEOUT_MS / 1000} s`
          : `ended with ${error.code ?? error.signal}`
        reject(new Failure(`"${words.join(' ')}" ${why}.`, output))
      }
    })
  })

/**
 * Runs a command line without a shell; null when there is no such program. Throws `Failure` when it fails. With `placeOf`
 * only a program of the tree itself is run, never one of this machine.
 */
export const runLine = async (
  words: readonly string[],
  placeOf: ((file: string) => string) | null,
): Promise<string | null> => {
  const [program = ''] = words
  if (placeOf === null) return execute(program, words)
  if (!program.startsWith('/')) return null
  try {
    return await execute(placeOf(program), words)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}
