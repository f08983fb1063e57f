import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { chosenPackages } from './package-set'

const FOLDER = path.resolve('oracle/python')

const answerSchema = z.union([z.object({ value: z.unknown() }), z.object({ refused: z.string() })])
const answersSchema = z.array(answerSchema)
export type OracleAnswer = z.infer<typeof answerSchema>

export type Oracle = {
  /** One answer for each input, in their order. */
  ask: (fn: string, inputs: readonly unknown[]) => Promise<readonly OracleAnswer[]>
  close: () => void
}

/** One long-lived Python process with a module of oracle/python: imports take seconds, a question almost nothing. */
export const openOracle = (module: string): Oracle => {
  const { command, environment } = chosenPackages()
  const [program, ...args] = command
  const child = spawn(program, [...args, path.join(FOLDER, 'serve.py'), module], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // Neither the user's own packages nor settings of requests may change an answer.
      REQUESTS_CA_BUNDLE: '',
      HOME: '/nonexistent',
      PYTHONPATH: FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'ignore',
      ...environment,
    },
  })
  const waiting: { resolve: (answers: readonly OracleAnswer[]) => void; reject: (error: Error) => void }[] =
    []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift()
    const answers = answersSchema.safeParse(JSON.parse(line))
    if (answers.success) next?.resolve(answers.data)
    else next?.reject(new Error(`The oracle "${module}" answered in another form: ${line}`))
  })
  child.on('close', (code) => {
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The oracle "${module}" ended with status ${code}; its output has the reason.`))
  })
  child.stdin.on('error', () => undefined)
  return {
    ask: (fn, inputs) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${JSON.stringify({ fn, inputs })}\n`)
      }),
    close: () => child.stdin.end(),
  }
}

const versionsSchema = z.tuple([z.object({ value: z.record(z.string(), z.string()) })])

/** The versions of Python and of the packages that a process answers with, by name. */
export type Versions = Readonly<Record<string, string>>

export const askVersions = async (oracle: Oracle): Promise<Versions> =>
  versionsSchema.parse(await oracle.ask('package_versions', [null]))[0].value

/** Printed so that a run can be repeated. */
export const printVersions = (what: string, versions: Versions): void => {
  const texts = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  process.stdout.write(`${what}: ${chosenPackages().name} packages: ${texts.join(', ')}\n`)
}
