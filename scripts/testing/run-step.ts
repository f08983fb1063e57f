import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import path from 'node:path'

export type StepOutcome = { name: string; isOk: boolean; seconds: number }

/**
 * Runs one command of the test run with its output shown, and returns how it ended. `isHeld`: the output is shown at the end,
 * so that it does not mix with that of a concurrent step. `logFolder`: there it is kept, too. Never throws.
 */
export const runStep = (options: {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  isHeld?: boolean
  logFolder?: string | null
}): Promise<StepOutcome> => {
  const { name, command, args, env, isHeld = false, logFolder = null } = options
  const started = Date.now()
  const shown: (string | Buffer)[] = []
  const show = (part: string | Buffer) => {
    if (isHeld) shown.push(part)
    else process.stdout.write(part)
  }
  show(`\n── ${name}: ${command} ${args.join(' ')}\n`)
  return new Promise((resolve) => {
    const isRead = isHeld || logFolder !== null
    const output = isRead ? 'pipe' : 'inherit'
    const keep = (part: Buffer) => {
      show(part)
      if (logFolder !== null) appendFileSync(path.join(logFolder, 'output.log'), part)
    }
    const child = spawn(command, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } })
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const finish = (isOk: boolean) => {
      const seconds = Math.round((Date.now() - started) / 100) / 10
      show(`── ${name}: ${isOk ? 'ok' : 'FAILED'} after ${seconds} s\n`)
      for (const part of shown.splice(0)) process.stdout.write(part)
      resolve({ name, isOk, seconds })
    }
    child.on('error', (err) => {
      show(`${err.message}\n`)
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}
