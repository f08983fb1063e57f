import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'

const FOLDER = path.resolve('oracle/python')

/** The packages that one process answers with: Debian's own Python, or one whose packages lie unpacked in a folder. */
type PackageSet = { python: string; packageFolders: readonly string[] }

export const DEBIAN: PackageSet = { python: '/usr/bin/python3', packageFolders: [] }

const answerSchema = z.union([z.object({ value: z.unknown() }), z.object({ refused: z.string() })])
export type OracleAnswer = z.infer<typeof answerSchema>

export type Oracle = {
  call: (fn: string, input: unknown) => Promise<OracleAnswer>
  close: () => void
}

/** One long-lived Python process with a module of oracle/python: imports take seconds, a question almost nothing. */
export const openOracle = (module: string, { python, packageFolders }: PackageSet): Oracle => {
  const child = spawn(python, [path.join(FOLDER, 'serve.py'), module], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // Neither the user's own packages nor settings of requests may change an answer.
      REQUESTS_CA_BUNDLE: '',
      HOME: '/nonexistent',
      PYTHONPATH: [FOLDER, ...packageFolders].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  const waiting: { resolve: (answer: OracleAnswer) => void; reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift()
    const answer = answerSchema.safeParse(JSON.parse(line))
    if (answer.success) next?.resolve(answer.data)
    else next?.reject(new Error(`The oracle "${module}" answered in another form: ${line}`))
  })
  child.on('close', (code) => {
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The oracle "${module}" ended with status ${code}; its output has the reason.`))
  })
  child.stdin.on('error', () => undefined)
  return {
    call: (fn, input) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${JSON.stringify({ fn, input })}\n`)
      }),
    close: () => child.stdin.end(),
  }
}
