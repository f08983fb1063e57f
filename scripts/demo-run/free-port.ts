import { createServer } from 'node:net'
import { isBlockedPort } from './blocked-ports'
import { DemoError } from './demo-options'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port }, () => probe.close(() => resolve(true)))
  })

/** Any free port of the loopback. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new DemoError('The system gave no free port.')),
      )
    })
  })

const FIRST_PORT = 3000
const TRIES = 50

/** The wanted port if it is free, else an error; without a wanted port the first free one from 3000 on. */
export const choosePort = async (wanted: number | null): Promise<number> => {
  if (wanted !== null) {
    if (isBlockedPort(wanted))
      throw new DemoError(
        `--port is ${wanted}, which browsers refuse to open: give another, or leave it out.`,
      )
    if (await isFree(wanted)) return wanted
    throw new DemoError(
      `--port is ${wanted}, but another process listens there: leave it out or give another.`,
    )
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + TRIES; port += 1) if (await isFree(port)) return port
  throw new DemoError(`Ports ${FIRST_PORT} to ${FIRST_PORT + TRIES - 1} are all taken: give one with --port.`)
}
