import 'server-only'
import type { Server } from 'node:http'
import { StartError } from '@/lib/server/errors/start-error'

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there: stop it, or give another SLICEBOARD_PORT',
  EACCES: 'ports below 1024 take root: give another SLICEBOARD_PORT',
  EADDRNOTAVAIL: 'this machine has no such address: give another SLICEBOARD_HOST',
}

/**
 * Connections that wait to be accepted. With Node's default of 511 the kernel drops the connections of a fleet that comes back after
 * an outage, and agents try again after seconds. The kernel lowers it to net.core.somaxconn (4096).
 */
const BACKLOG = 4096

/** Listens and returns the port. */
export const listen = ({
  server,
  host,
  port,
}: {
  server: Server
  host: string
  port: number
}): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message
      reject(new StartError(`Sliceboard cannot listen on ${host}:${port}, because ${reason}.`))
    })
    server.listen({ host, port, backlog: BACKLOG }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
