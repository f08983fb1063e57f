import 'server-only'
import type { Server } from 'node:http'
import { StartError } from '@/lib/server/errors/start-error'

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there: stop it, or give another SLICEBOARD_PORT',
  EACCES: 'ports below 1024 take root: give another SLICEBOARD_PORT',
  EADDRNOTAVAIL: 'this machine has no such address: give another SLICEBOARD_HOST',
}

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
    server.listen({ host, port }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
