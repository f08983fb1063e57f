import { createConnection } from 'node:net'

/** Takes an answer as it comes over the wire; null until it is whole. */
export type Reading<Answer> = (chunk: Buffer) => Answer | null

export type PersistentConnection<Answer> = {
  /** Sends one request and resolves with its whole answer. */
  ask: (request: Buffer | string) => Promise<Answer>
  close: () => void
}

/**
 * A kept HTTP connection with as little work as can be. node:http's client takes 0.3 ms of its core for an answer, so what many
 * of them in one process measure is the wait for themselves.
 */
export const keepConnection = <Answer>(
  at: { host: string; port: number },
  createReading: () => Reading<Answer>,
): Promise<PersistentConnection<Answer>> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ ...at, noDelay: true })
    let read = createReading()
    let settle: ((answer: Answer) => void) | null = null
    let fail: (error: Error) => void = reject
    socket.on('error', (error) => fail(error))
    socket.on('close', () => fail(new Error('the console closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      const answer = read(chunk)
      if (answer === null) return
      read = createReading()
      settle?.(answer)
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
