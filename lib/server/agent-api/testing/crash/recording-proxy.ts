import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { AGENT_PATHS, acknowledgementSchema, HEARTBEAT_HEADERS } from '@/lib/schemas/agent/report'
import { type Report, reportSchema } from '@/lib/schemas/agent/whole-report'
import { type CrashRecord, createCrashRecord, type SentReport } from './crash-record'

/** Where a report is when something dies: on its way to the console, or its answer on the way back. */
export type Moment = 'on the way' | 'answered'

export type RecordingProxy = {
  url: string
  record: CrashRecord
  /** Ports of the consoles that take requests at present, one after the other. */
  setTargets: (ports: readonly number[]) => void
  /** Called once, when a report comes to this moment. */
  atNext: (moment: Moment, act: () => Promise<void>) => void
  /** Forgets an act whose moment has not come. */
  forget: () => void
  close: () => Promise<void>
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** A proxy between the agents and the console that is never killed, and so knows what was acknowledged. */
export const createRecordingProxy = async (): Promise<RecordingProxy> => {
  const record = createCrashRecord()
  let targets: readonly number[] = []
  let passed = 0
  let armed: { moment: Moment; act: () => Promise<void> } | null = null

  const actOn = async (moment: Moment) => {
    if (armed?.moment !== moment) return
    const { act } = armed
    armed = null
    await act()
  }

  const readReport = (req: IncomingMessage, body: Buffer): Report => {
    const json = req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    return reportSchema.parse(JSON.parse(json.toString()))
  }

  const pass = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await collect(req)
    const isReport = req.url === AGENT_PATHS.reports
    const sent = isReport ? record.noteSent(readReport(req, body)) : null
    if (isReport) await actOn('on the way')
    passed += 1
    const answer = await forward(targets[passed % targets.length] ?? 0, req, body)
    if (answer.status === 200) note(record, req, sent, answer)
    // A report that was refused is sent again in any case.
    if (isReport && answer.status === 200) await actOn('answered')
    res.writeHead(answer.status, { ...answer.headers, connection: 'keep-alive' }).end(answer.body)
  }

  const server = createServer((req, res) => {
    // A console that died in the middle looks to the agent as it would without us.
    pass(req, res).catch(() => req.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    record,
    setTargets: (ports) => {
      targets = ports
    },
    atNext: (moment, act) => {
      armed = { moment, act }
    },
    forget: () => {
      armed = null
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const note = (record: CrashRecord, req: IncomingMessage, sent: SentReport | null, answer: Answer) => {
  const sender = req.headers.authorization ?? ''
  if (sent !== null) {
    record.senders.set(sender, sent.host)
    record.agreed.set(sent.host, sent.digest)
    sent.acknowledgements.push(acknowledgementSchema.parse(JSON.parse(answer.body.toString())))
  }
  const digest = req.headers[HEARTBEAT_HEADERS.digest]
  const host = record.senders.get(sender)
  if (typeof digest === 'string' && host !== undefined) record.agreed.set(host, digest)
}

const collect = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const forward = (port: number, req: IncomingMessage, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host: _host, connection: _connection, ...headers } = req.headers
    const onward = request(
      { port, host: '127.0.0.1', method: req.method, path: req.url, headers, agent: false },
      (res) => {
        collect(res).then(
          (answer) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: answer }),
          reject,
        )
      },
    )
    onward.setTimeout(10_000, () => onward.destroy(new Error('no answer')))
    onward.on('error', reject)
    onward.end(body)
  })
