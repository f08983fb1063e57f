/**
 * Process entry: the console's own HTTP server with the agents' API and without pages, on a free port. Its one argument
 * is JSON: the database and the number of hosts to enrol.
 */

import { createAgentApi } from '@/lib/server/agent-api/agent-api'
import { createLog } from '@/lib/server/context/log'
import { openDatabase } from '@/lib/server/database/database'
import { createHttpServer } from '@/lib/server/process/http-server'
import { listen } from '@/lib/server/process/listen'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { parseEnv } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { makeMonths } from '@/lib/services/history/keep-partitions'
import { enrollHosts } from './enroll-hosts'

type Settings = { databaseUrl: string | null; dataDirectory: string | null; hosts: number }
const settings = JSON.parse(process.argv[2] ?? '{}') as Settings

const database = await openDatabase(settings)
// As a console does before the first report.
await makeMonths(database, new Date())
const log = createLog({ level: 'warn', version: 'bench' })
await enrollHosts(database, settings.hosts)

const tasks: (() => Promise<void>)[] = []
const http = createHttpServer({ isDevelopment: false, log })
const port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
const runtime = {
  env: parseEnv({}),
  database,
  log,
  now: () => new Date(),
  version: 'bench',
  root: process.cwd(),
  box: createSecretBox(['a secret of tests that seals nothing real']),
  signIn: null,
  accounts: [],
  onStop: (_name: string, work: () => Promise<void>) => tasks.push(work),
}
const handle = createAgentApi(runtime)
http.serve((req, res) => {
  if (!handle(req, res)) res.writeHead(404).end()
  return undefined
})

process.on('SIGTERM', async () => {
  http.server.closeAllConnections()
  for (const work of tasks) await work()
  const [total] = await database.query(
    `SELECT (SELECT sum(applied_reports) FROM host)::int AS reports, (SELECT count(*) FROM pgpu_change)::int AS changes`,
    [],
    anyRow<{ reports: number; changes: number }>(),
  )
  await database.close()
  process.stdout.write(`stored ${JSON.stringify(total)}\n`, () => process.exit(0))
})
process.stdout.write(`listens on ${port}\n`)
