/** `npm run build`: the pages, the server, the agent, the empty database of the first start, and the demo's year of history. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../lib/server/database/database'
import { buildYear } from './build-past'
import { buildServer } from './build-server'
import { listProxies, whyUndeclared } from './security-run/undeclared-routes'

const root = join(import.meta.dirname, '..')

const run = (script: string, args: string[]): void => {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  if (status !== 0) process.exit(status ?? 1)
}

const faults = [
  ...whyUndeclared(join(root, 'app')),
  ...listProxies(root).map((name) => `${name} would run in front of the routes, which check for themselves.`),
]
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exit(1)
}

run(join('node_modules', 'next', 'dist', 'bin', 'next'), ['build'])
await buildServer()
if (existsSync(join(root, 'scripts', 'build-agent.ts'))) {
  run(join('node_modules', 'tsx', 'dist', 'cli.mjs'), [join('scripts', 'build-agent.ts')])
}
// Opening it once leaves the cached cluster in .cache, so that the first start takes no seconds for it.
const database = await openDatabase({ databaseUrl: null, dataDirectory: null })
await database.close()
// Some half a minute that no test needs.
if (process.env.CI === undefined) await buildYear(root)
