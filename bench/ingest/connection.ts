import { createConnection } from 'node:net'

export type Connection = {
  /** Sends one request and resolves with its whole answer. */
  ask: (request: Buffer) => Promise<string>
  close: () => void
}

/** Whether a whole answer has arrived: one with content-length, or in chunks as Next sends them. */
const isWhole = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = text.slice(0, end).toLowerCase()
  const length = /content-length: (\d+)/.exec(head)?.[1]
  if (length !== undefined) return Buffer.byteLength(text) >= end + 4 + Number(length)
  return head.includes('transfer-encoding: chunked') && text.endsWith('0\r\n\r\n')
}

/**
 * A kept HTTP connection with as little work as can be: node:http's client took as much of its core as the console did of
 * the other, and then measured itself.
 */
export const connect = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    let answer = ''
    let settle: ((answer: string) => void) | null = null
    let fail = reject
    socket.setEncoding('utf8')
    socket.on('error', (error) => fail(error))
    socket.on('close', () => fail(new Error('the console closed a connection')))
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (!isWhole(answer)) return
      settle?.(answer)
      answer = ''
    })
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, failed) => {
            settle = done
            fail = failed
            socket.write(request)
          }),
        close: () => socket.destroy(),
      }),
    )
  })
