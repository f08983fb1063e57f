/**
 * Process entry: hosts that report as fast as they are answered. Its one argument is JSON; it prints one line of JSON.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import { CONTRACT_VERSION, type Report } from '@/lib/schemas/agent/report'
import { formatCredential } from '@/lib/server/agent-api/secrets'
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
  bytes: { json: number; gzip: number }
}

const settings = JSON.parse(process.argv[2] ?? '{}') as LoadSettings
const { hosts, connections, reportsPerHost } = settings

/** CPU time of a process in milliseconds: fields 14 and 15 of its stat, in hundredths of a second. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const base = await scanBusyHost()
let jsonBytes = 0

const reportBodies = (place: number): Buffer[] => {
  const phases = Array.from({ length: Math.min(PHASES, reportsPerHost) }, (_, phase) => {
    const inventory = hostInPhase(base, hostNameOf(place), phase)
    return { inventory, digest: inventoryDigest(inventory) }
  })
  return Array.from({ length: reportsPerHost }, (_, n) => {
    const content = phases[n % phases.length]
    if (content === undefined) throw new Error('no content')
    const report: Report = {
      contractVersion: CONTRACT_VERSION,
      agentVersion: '0.1.0',
      position: { boot: 1, sequence: n + 1 },
      takenAt: new Date().toISOString(),
      droppedReports: 0,
      ...content,
    }
    const json = encodeReportJson(report)
    jsonBytes = Buffer.byteLength(json)
    return gzipSync(json)
  })
}

const series = Array.from({ length: hosts }, (_, place) => reportBodies(place))
const latencies: number[] = []
let isMeasuring = false
let refused = 0
let isOver = false
let sent = 0

const account = (startedAt: number, answer: string): void => {
  const isFine = answer.startsWith('HTTP/1.1 200') && answer.includes('"isApplied":true')
  if (!isFine) {
    refused += 1
    if (refused < 4) process.stderr.write(`${answer}\n`)
  }
  sent += 1
  if (isMeasuring) latencies.push(performance.now() - startedAt)
}

const send = async (connection: Connection, place: number, body: Buffer): Promise<void> => {
  const startedAt = performance.now()
  const head = [
    `POST ${settings.path} HTTP/1.1`,
    `host: 127.0.0.1:${settings.port}`,
    `authorization: Bearer ${formatCredential(place + 1, secretOf(place))}`,
    'content-type: application/json',
    'content-encoding: gzip',
    `content-length: ${body.length}`,
  ]
  account(startedAt, await connection.ask(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])))
}

/** One connection works for its own hosts, so each host's reports come one after the other. */
const work = async (first: number): Promise<void> => {
  const connection = await connect(settings.port)
  for (let n = 0; n < reportsPerHost; n += 1)
    for (let place = first; place < hosts; place += connections) {
      if (isOver) return connection.close()
      const body = series[place]?.[n]
      if (body !== undefined) await send(connection, place, body)
    }
  if (!isOver) process.stderr.write('a connection ran out of reports\n')
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

const working = Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)))
while (sent < hosts * settings.warmReportsPerHost) await wait(0.05)
isMeasuring = true
const cpuBefore = cpuMsOf(settings.pid)
const startedAt = performance.now()
await Promise.race([wait(settings.seconds), working])
isMeasuring = false
const seconds = (performance.now() - startedAt) / 1000
const cpuMs = cpuMsOf(settings.pid) - cpuBefore
isOver = true
await working
latencies.sort((a, b) => a - b)
const at = (share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
const result: LoadResult = {
  rate: latencies.length / seconds,
  cpuUs: (cpuMs * 1000) / latencies.length,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  answered: latencies.length,
  refused,
  bytes: { json: jsonBytes, gzip: series[0]?.[0]?.length ?? 0 },
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
