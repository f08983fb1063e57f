/**
 * `npm run test:oracle [-- --suite trixie] [--count 100000] [--seed N] [FILE…]`: compares with OpenStack's own packages, those
 * of this system or of other suites of Debian (docs/oracle.md).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { suiteFolder } from '@/oracle/harness/package-set'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    seed: { type: 'string' },
    suite: { type: 'string', multiple: true },
  },
})

const run = (command: string, args: string[], env: Record<string, string> = {}): number =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

/** A suite without Nova is skipped; oracle/install.sh prints that. */
const compareWith = (suite: string): number => {
  if (suite !== '' && !existsSync(suiteFolder(suite))) {
    const status = run('oracle/install.sh', [suite])
    if (status !== 0 || !existsSync(suiteFolder(suite))) return status
  }
  return run('npx', ['vitest', 'run', '--config', 'oracle/vitest.config.ts', ...positionals], {
    SLICEBOARD_ORACLE_SUITE: suite,
    ...(values.count === undefined ? {} : { SLICEBOARD_ORACLE_COUNT: values.count }),
    ...(values.seed === undefined ? {} : { SLICEBOARD_ORACLE_SEED: values.seed }),
  })
}

const statuses = (values.suite ?? ['']).map(compareWith)
process.exitCode = statuses.find((status) => status !== 0) ?? 0
