import { spawn } from 'node:child_process'

export type StepOutcome = { name: string; isOk: boolean; seconds: number }

/** Runs one command of the test run with its output shown, and says how it ended. Never throws. */
export const runStep = (options: {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
}): Promise<StepOutcome> => {
  const started = Date.now()
  process.stdout.write(`\n── ${options.name}: ${options.command} ${options.args.join(' ')}\n`)
  return new Promise((resolve) => {
    const child = spawn(options.command, options.args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...options.env },
    })
    const finish = (isOk: boolean) => {
      const seconds = Math.round((Date.now() - started) / 100) / 10
      process.stdout.write(`── ${options.name}: ${isOk ? 'ok' : 'FAILED'} after ${seconds} s\n`)
      resolve({ name: options.name, isOk, seconds })
    }
    child.on('error', (err) => {
      process.stdout.write(`${err.message}\n`)
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}
