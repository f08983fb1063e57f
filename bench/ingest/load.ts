/**
 * Process entry: hosts that report as fast as they are answered. Its one argument is JSON; it prints one line of JSON.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { encodeReportJson } from '@/lib/schemas/agent/digest'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { formatCredential } from '@/lib/server/secrets/agent-secrets'
import { quantile } from '../quantile'
import { hostInPhase, PHASES, scanBusyHost } from './busy-host'
import { type Connection, connect } from './connection'
import { hostNameOf, secretOf } from './credentials'

export type LoadSettings = {
  port: number
  path: string
  hosts: number
  connections: number
  reportsPerHost: number
  /** Reports of each host before anything is measured: its first is the costly one. */
  warmReportsPerHost: number
  seconds: number
  /** Reports a second of all hosts together, where they are not sent as fast as they are answered. */
  perSecond?: number
  /** Of the process under test. */
  pid: number
}
export type LoadResult = {
  rate: number
  cpuUs: number
  p50Ms: number
  p99Ms: number
  answered: number
  refused: number
  /** Of a whole report's JSON, and of what was sent, on average. */
  bytes: { json: number; sent: number }
}

const settings = JSON.parse(process.argv[2] ?? '{}') as LoadSettings
const { hosts, connections, reportsPerHost } = settings

/** CPU time of a process in milliseconds: fields 14 and 15 of its stat, in hundredths of a second. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const INVENTORY_KEY = '"inventory":'

const base = await scanBusyHost()
const bytes = { json: 0, sent: 0 }

const headOf = (digest: string, sequence: number): Omit<Report, 'inventory'> => ({
  contractVersion: CONTRACT_VERSION,
  agentVersion: '0.1.0',
  position: { boot: 1, sequence },
  takenAt: new Date().toISOString(),
  digest,
  droppedReports: 0,
})

/** The bytes under an inventory's digest. */
const canonicalText = (inventory: Report['inventory']): string => {
  const json = encodeReportJson({ ...headOf('', 1), inventory })
  return json.slice(json.indexOf(INVENTORY_KEY) + INVENTORY_KEY.length, -1)
}

/** Hosts differ in their names only. */
const FIRST = hostNameOf(0)
const texts = Array.from({ length: Math.min(PHASES, reportsPerHost) }, (_, phase) =>
  canonicalText(hostInPhase(base, FIRST, phase)),
)

const bodyOf = (head: Omit<Report, 'inventory'>, text: string): Buffer => {
  const json = `${JSON.stringify(head).slice(0, -1)},${INVENTORY_KEY}${text}}`
  bytes.json = Buffer.byteLength(json)
  return gzipSync(json)
}

const reportBodies = (index: number): Buffer[] => {
  const ownTexts = texts.map((text) => text.replaceAll(FIRST, hostNameOf(index)))
  const digests = ownTexts.map((text) => createHash('sha256').update(text).digest('base64url'))
  const bodies = Array.from({ length: reportsPerHost }, (_, n) =>
    bodyOf(headOf(digests[n % digests.length] ?? '', n + 1), ownTexts[n % ownTexts.length] ?? ''),
  )
  const measured = bodies.slice(settings.warmReportsPerHost)
  bytes.sent = Math.round(measured.reduce((sum, { length }) => sum + length, 0) / measured.length)
  return bodies
}

const series = Array.from({ length: hosts }, (_, index) => reportBodies(index))
const latencies: number[] = []
let isMeasuring = false
let refused = 0
let isOver = false
let sent = 0
/** Connections that had sent all that was made for them before the time was over. */
let ranOut = 0

const account = (startedAt: number, answer: string): void => {
  const isFine = answer.startsWith('HTTP/1.1 200') && answer.includes('"isApplied":true')
  if (!isFine) {
    refused += 1
    if (refused < 4) process.stderr.write(`${answer}\n`)
  }
  sent += 1
  if (isMeasuring) latencies.push(performance.now() - startedAt)
}

type Due = { index: number; body: Buffer; dueAt: number }

/** A report that is sent late counts from when it was due, as its host would see it. */
const send = async (connection: Connection, { index, body, dueAt }: Due): Promise<void> => {
  const head = [
    `POST ${settings.path} HTTP/1.1`,
    `host: 127.0.0.1:${settings.port}`,
    `authorization: Bearer ${formatCredential(index + 1, secretOf(index))}`,
    'content-type: application/json',
    'content-encoding: gzip',
    `content-length: ${body.length}`,
  ]
  const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  account(dueAt, await connection.ask(request))
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Each connection's next report is due so long after its last one was. */
const paceMs = settings.perSecond === undefined ? 0 : (1000 * connections) / settings.perSecond
const untilDue = async (dueAt: number): Promise<void> => {
  const restMs = dueAt - performance.now()
  if (restMs > 1) await wait(restMs / 1000)
}

/** One connection works for its own hosts, so each host's reports come one after the other. */
const work = async (first: number): Promise<void> => {
  const connection = await connect(settings.port)
  let dueAt = 0
  for (let n = 0; n < reportsPerHost; n += 1)
    for (let index = first; index < hosts; index += connections) {
      if (isOver) return connection.close()
      const body = series[index]?.[n]
      if (body === undefined) continue
      const isPaced = paceMs > 0 && n >= settings.warmReportsPerHost
      if (isPaced) {
        dueAt = dueAt === 0 ? performance.now() + Math.random() * paceMs : dueAt + paceMs
        await untilDue(dueAt)
      }
      await send(connection, { index, body, dueAt: isPaced ? dueAt : performance.now() })
    }
  if (!isOver) ranOut += 1
}

const working = Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)))
while (sent < hosts * settings.warmReportsPerHost) await wait(0.05)
isMeasuring = true
process.stdout.write('warm\n')
const cpuBefore = cpuMsOf(settings.pid)
const startedAt = performance.now()
await Promise.race([wait(settings.seconds), working])
isMeasuring = false
const seconds = (performance.now() - startedAt) / 1000
const cpuMs = cpuMsOf(settings.pid) - cpuBefore
isOver = true
await working
if (ranOut > 0)
  process.stderr.write(`${ranOut} of ${connections} connections had no report left before the end\n`)
const result: LoadResult = {
  rate: latencies.length / seconds,
  cpuUs: (cpuMs * 1000) / latencies.length,
  p50Ms: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
  answered: latencies.length,
  refused,
  bytes,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
