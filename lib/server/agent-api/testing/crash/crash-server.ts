/** Process entry: the console without its pages, on a free port. Settings come as JSON in the one argument. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { reportSchema } from '@/lib/schemas/agent/whole-report'
import { createLog } from '@/lib/server/context/log'
import { openDatabase } from '@/lib/server/database/database'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { parseEnv } from '@/lib/server/settings/env'
import { anyRow } from '@/lib/server/testing/any-row'
import { bringWatchesUp } from '@/lib/services/history/bring-watches-up'
import { type RollUpMemory, rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createAgentApi } from '../../agent-api'

const settingsSchema = z.object({
  databaseUrl: z.string().nullable(),
  dataDirectory: z.string(),
  /** Deliberately wrong: answers a report before it is handed to the database. */
  isAcknowledgingEarly: z.boolean(),
})

const LATE_MS = 300

const listen = async (
  serve: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<number> => {
  const server = createServer((req, res) => {
    serve(req, res).catch((error) => res.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** What a careless console would do: acknowledge the report, and store it later. */
const acknowledgeEarly = async (req: IncomingMessage, res: ServerResponse, port: number) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { host: _host, ...headers } = req.headers
  const store = () => {
    const onward = request({ port, host: '127.0.0.1', method: 'POST', path: req.url, headers }, (answer) =>
      isReport ? answer.resume() : answer.pipe(res.writeHead(answer.statusCode ?? 500, answer.headers)),
    )
    onward.end(body)
  }
  const isReport = req.url === AGENT_PATHS.reports
  if (!isReport) {
    store()
    return
  }
  const { position } = reportSchema.parse(JSON.parse(gunzipSync(body).toString()))
  res.writeHead(200).end(JSON.stringify({ isApplied: true, newest: position, intervalSeconds: 1 }))
  setTimeout(store, LATE_MS)
}

const ROLL_UP_EVERY_MS = 2000
const RECEIVED_WITHIN_MS = 1000
const RETAINED_SINCE = new Date(0)

/** Without a lease: replicas meet in the middle of it, and of one that was killed nothing is waited for. */
const rollUp = async (memory: RollUpMemory): Promise<void> => {
  await bringWatchesUp(database.query)
  const horizon = new Date(Date.now() - RECEIVED_WITHIN_MS)
  for (const { id: cloudId } of await database.query('SELECT id FROM cloud', [], anyRow<{ id: number }>())) {
    const terms = { cloudId, horizon, changesSince: RETAINED_SINCE, hoursSince: RETAINED_SINCE }
    await rollUpCloud(database, terms, { memory })
  }
}

const settings = settingsSchema.parse(JSON.parse(process.argv[2] ?? ''))
const database = await openDatabase(settings)
const handle = createAgentApi({
  env: parseEnv({ SLICEBOARD_REPORT_INTERVAL_SECONDS: '1', SLICEBOARD_SILENT_AFTER_SECONDS: '10' }),
  database,
  log: createLog({ level: 'warn', version: 'test' }),
  now: () => new Date(),
  version: '0.0.0-test',
  root: process.cwd(),
  box: createSecretBox(['a secret of tests that seals nothing real']),
  signIn: null,
  accounts: [],
  onStop: () => undefined,
})
const port = await listen(async (req, res) => {
  if (!(await handle(req, res))) res.writeHead(404).end()
})
const shownPort = settings.isAcknowledgingEarly
  ? await listen((req, res) => acknowledgeEarly(req, res, port))
  : port
const { user, system } = process.cpuUsage()
process.stdout.write(`listens on ${shownPort} after ${Math.round((user + system) / 1000)} ms of CPU\n`)

const memory: RollUpMemory = new Map()
for (;;) {
  await rollUp(memory)
  await new Promise((resolve) => setTimeout(resolve, ROLL_UP_EVERY_MS))
}
