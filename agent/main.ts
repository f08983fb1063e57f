import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCli } from '@/agent/cli'
import type { RunOptions, RunResult } from '@/agent/commands/run'

export { keepMemorySmall } from '@/agent/memory-flags'
export { createScanMemory, scanHost } from '@/agent/scan/scan-host'
export { AGENT_VERSION } from '@/agent/version'

/** As in commands/run, loaded when it is called: `scan` has no use for the contract's parser and starts without it. */
export const runAgent = async (options: RunOptions): Promise<RunResult> =>
  (await import('@/agent/commands/run')).runAgent(options)

/** Started as a program, by its path or through a link; not when it is imported. */
const isProgram = (): boolean => {
  const started = process.argv[1]
  if (started === undefined || !existsSync(started)) return false
  return realpathSync(started) === realpathSync(fileURLToPath(import.meta.url))
}

if (isProgram()) process.exitCode = await runCli(process.argv.slice(2))
