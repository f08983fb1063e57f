import { Agent, type IncomingHttpHeaders, request } from 'node:http'

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

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** `clients` ask one after the other for `seconds`, each waiting for its whole answer. */
export const measureLoad = async ({
  clients,
  seconds,
  next,
}: {
  clients: number
  seconds: number
  next: (agent: Agent) => Promise<Answer>
}): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const answers: Answer[] = []
  const startedAt = performance.now()
  const client = async (): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1000) answers.push(await next(agent))
  }
  await Promise.all(Array.from({ length: clients }, client))
  const tookMs = performance.now() - startedAt
  agent.destroy()
  const times = answers.map((answer) => answer.ms).sort((a, b) => a - b)
  return {
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    perSecond: (answers.length * 1000) / tookMs,
    bytes: answers.reduce((sum, answer) => sum + answer.bytes, 0) / answers.length,
    statuses: [...new Set(answers.map((answer) => answer.status))],
  }
}
