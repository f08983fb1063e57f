import { DEFAULT_TIMING } from '@/agent/commands/run-session'
import { AGENT_PATHS, formatPosition, HEARTBEAT_HEADERS, type Position } from '@/lib/schemas/agent/report'
import { requestOf } from '../attack/request-of'
import { connect } from '../ingest/connection'
import type { Answer } from './come-back'

const headerOf = (answer: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(answer.slice(0, answer.indexOf('\r\n\r\n')))?.[1]?.trim()

const tooLate = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
  })

/** One request of a host on a separate connection, as after a long wait; given up as late as agents give up. */
const sendOnce = async (port: number, request: Buffer): Promise<Answer> => {
  const late = tooLate(AbortSignal.timeout(DEFAULT_TIMING.requestTimeoutMs))
  const opening = connect(port)
  const connection = await Promise.race([opening, late]).catch((error: unknown) => {
    opening.then(({ close }) => close()).catch(() => undefined)
    throw error
  })
  try {
    const answer = await Promise.race([connection.ask(request), late])
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
    return { status, retryAfter: headerOf(answer, 'retry-after'), date: headerOf(answer, 'date') }
  } finally {
    connection.close()
  }
}

export const sendReport = (port: number, { host, body }: { host: number; body: Buffer }): Promise<Answer> =>
  sendOnce(
    port,
    requestOf({
      port,
      index: host,
      path: AGENT_PATHS.reports,
      body,
      headers: { 'content-encoding': 'gzip' },
    }),
  )

export const sendHeartbeat = (
  port: number,
  { host, digest, position }: { host: number; digest: string; position: Position },
): Promise<Answer> =>
  sendOnce(
    port,
    requestOf({
      port,
      index: host,
      path: AGENT_PATHS.heartbeats,
      body: Buffer.alloc(0),
      headers: {
        [HEARTBEAT_HEADERS.position]: formatPosition(position),
        [HEARTBEAT_HEADERS.digest]: digest,
      },
    }),
  )
