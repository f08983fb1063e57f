import { createConnection, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { requestOf } from './request-of'

export type Attack = { name: string; run: (port: number) => Promise<Record<string, number>> }

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends one request on a separate connection; the status of its answer, or 0 when it was cut off. */
const shoot = (port: number, request: Buffer): Promise<number> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    let text = ''
    const finish = () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0))
      socket.destroy()
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\r\n\r\n')) finish()
    })
    socket.on('error', finish).on('close', finish)
    socket.setTimeout(60_000, finish)
    socket.write(request)
  })

const count = (statuses: number[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const BOMB = gzipSync(Buffer.alloc(150_000_000))
const saying = (size: number): Buffer => {
  const lying = Buffer.from(BOMB)
  lying.writeUInt32LE(size, BOMB.length - 4)
  return lying
}
const gzip = { 'content-encoding': 'gzip' }

/** So many bombs at the same time. */
const bombs = (
  name: string,
  indexOf: (n: number) => number | null,
  body: Buffer,
  headers: Record<string, string> = {},
): Attack => ({
  name,
  run: async (port) =>
    count(
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          shoot(
            port,
            requestOf({
              port,
              index: indexOf(n),
              path: AGENT_PATHS.reports,
              body,
              headers: { ...gzip, ...headers },
            }),
          ),
        ),
      ),
    ),
})

const chunked = Buffer.concat([
  Buffer.from(`${BOMB.length.toString(16)}\r\n`),
  BOMB,
  Buffer.from('\r\n0\r\n\r\n'),
])

/** 100 bodies of 150 MB, as one enrolled host, many of them, or without a sender. */
export const BOMBS: Attack[] = [
  bombs('by one enrolled host', () => 0, BOMB),
  bombs('by 100 enrolled hosts', (n) => n, BOMB),
  bombs('anonymous', () => null, BOMB),
  bombs('that say they have 8 MB, by one host', () => 101, saying(8_000_000)),
  bombs('that say they have 8 MB, by 100 hosts', (n) => n, saying(8_000_000)),
  bombs('that say they have 100 kB, by 100 hosts', (n) => n, saying(100_000)),
  bombs('with a small member behind, by 100 hosts', (n) => n, Buffer.concat([BOMB, gzipSync('{}')])),
  bombs('packed twice, by 100 hosts', (n) => n, gzipSync(BOMB)),
  bombs('in chunks, by 100 hosts', (n) => n, chunked, { 'transfer-encoding': 'chunked' }),
]

/** Bodies that never end: the length is a lie, and a byte comes now and then. */
export const slowBodies = (seconds: number): Attack => ({
  name: '400 bodies that do not end',
  run: async (port) => {
    const sockets: Socket[] = []
    for (let n = 0; n < 400; n += 1) {
      const socket = createConnection({ port, host: '127.0.0.1' })
      socket.on('error', () => undefined).resume()
      const headers = { ...gzip, 'content-length': '900000' }
      socket.write(
        requestOf({ port, index: n % 100, path: AGENT_PATHS.reports, body: Buffer.alloc(1000), headers }),
      )
      sockets.push(socket)
    }
    for (let second = 0; second < seconds; second += 1) {
      await wait(1000)
      for (const socket of sockets) if (socket.writable) socket.write('x')
    }
    const left = sockets.filter((socket) => !socket.destroyed).length
    for (const socket of sockets) socket.destroy()
    return { open: left }
  },
})

/** One enrolled host sends the same thing over and over, as fast as it is answered, on many connections. */
export const flood = (
  name: string,
  {
    path,
    body,
    seconds,
    connections = 64,
    index = 0,
    headers = {},
  }: {
    path: string
    body: Buffer
    seconds: number
    connections?: number
    index?: number | null
    headers?: Record<string, string>
  },
): Attack => ({
  name,
  run: async (port) => {
    const end = performance.now() + seconds * 1000
    const statuses: number[] = []
    const work = async (): Promise<void> => {
      while (performance.now() < end)
        statuses.push(await shoot(port, requestOf({ port, index, path, body, headers })))
    }
    await Promise.all(Array.from({ length: connections }, work))
    return count(statuses)
  },
})
