/** `npm run test:oracle [-- --count 100000] [--seed N] [FILE…]`: compares with OpenStack's own packages (docs/oracle.md). */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' } },
})
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', 'oracle/vitest.config.ts', ...positionals],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(values.count === undefined ? {} : { SLICEBOARD_ORACLE_COUNT: values.count }),
      ...(values.seed === undefined ? {} : { SLICEBOARD_ORACLE_SEED: values.seed }),
    },
  },
)
process.exitCode = status ?? 1
