import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { Failure } from './refusal'

/** Stopping a nova-compute with many guests takes a while. */
const TIMEOUT_MS = 180_000
const MAX_OUTPUT_BYTES = 1024 * 1024

/** A tree has no programs: whoever plays the host takes the line from here, and leaves its exit status and output. */
const RUN_FOLDER = '/.sliceboard/run'

type Tree = {
  placeOf: (file: string) => string
  until: (check: () => boolean) => Promise<boolean>
}

const execute = (words: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = words
    const options = {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`
      if (error === null) resolve(output)
      else if (error.code === 'ENOENT') resolve(null)
      else {
        const why = error.killed
          ? `gave no answer within ${TIMEOUT_MS / 1000} s`
          : `ended with ${error.code ?? error.signal}`
        reject(new Failure(`"${words.join(' ')}" ${why}.`, output))
      }
    })
  })

const leave = async (words: readonly string[], { placeOf, until }: Tree): Promise<string | null> => {
  const folder = path.dirname(placeOf('/.sliceboard'))
  fs.mkdirSync(path.join(folder, RUN_FOLDER), { recursive: true })
  const request = placeOf(`${RUN_FOLDER}/${randomUUID()}`)
  const exit = `${request}.exit`
  fs.writeFileSync(`${request}.tmp`, JSON.stringify(words))
  fs.renameSync(`${request}.tmp`, request)
  const isTaken = await until(() => fs.existsSync(exit))
  const answer = isTaken ? fs.readFileSync(exit, 'utf8') : ''
  for (const file of [request, exit]) fs.rmSync(file, { force: true })
  const [status = '', ...output] = answer.split('\n')
  if (isTaken && status === '0') return output.join('\n')
  if (isTaken && status === '127') return null
  const why = isTaken ? `ended with ${status}` : 'was left in the tree and nobody ran it'
  throw new Failure(`"${words.join(' ')}" ${why}.`, output.join('\n'))
}

/** Runs a command line without a shell; null when there is no such program. Throws `Failure` when it fails. */
export const runLine = (words: readonly string[], tree: Tree | null): Promise<string | null> =>
  tree === null ? execute(words) : leave(words, tree)
