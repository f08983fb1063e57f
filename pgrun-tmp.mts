import { spawn } from 'node:child_process'
import { findPostgresBinaries, startPrivatePostgres } from './lib/server/testing/private-postgres'
const binaries = findPostgresBinaries()
if (binaries === null) throw new Error('no binaries')
const pg = await startPrivatePostgres(binaries)
const child = spawn('npx', ['vitest', 'run', '--project', 'service', '--maxWorkers=1', ...process.argv.slice(2)], {
  cwd: '/work/wt/change', stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: pg.url },
})
await new Promise((r) => child.on('exit', r))
await pg.stop()
