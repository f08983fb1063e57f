import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { quantile } from '../quantile'
import { type LoadAnswer, type LoadConnection, openConnection } from './load-connection'

export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: number; ms: number }

export const ask = (
  url: URL,
  { agent, headers = {} }: { agent: Agent; headers?: Record<string, string> },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const req = request(url, { agent, headers: { 'accept-encoding': 'gzip', ...headers } }, (res) => {
      let bytes = 0
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      res.on('error', reject)
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          bytes,
          ms: performance.now() - startedAt,
        }),
      )
    })
    req.on('error', reject)
    req.end()
  })

/** `bytes` is the mean body on the wire. */
export type Load = { p50Ms: number; p95Ms: number; perSecond: number; bytes: number; statuses: number[] }

/** `clients` ask over a connection each for `seconds`, every one waiting for its whole answer. */
export const measureLoad = async (
  address: URL,
  {
    clients,
    seconds,
    next,
  }: { clients: number; seconds: number; next: (connection: LoadConnection) => Promise<LoadAnswer> },
): Promise<Load> => {
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(address)))
  const answers: LoadAnswer[] = []
  const startedAt = performance.now()
  const client = async (connection: LoadConnection): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1000) answers.push(await next(connection))
  }
  await Promise.all(connections.map(client))
  const tookMs = performance.now() - startedAt
  for (const connection of connections) connection.close()
  const times = answers.map((answer) => answer.ms)
  return {
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    perSecond: (answers.length * 1000) / tookMs,
    bytes: answers.reduce((sum, answer) => sum + answer.bytes, 0) / answers.length,
    statuses: [...new Set(answers.map((answer) => answer.status))],
  }
}
