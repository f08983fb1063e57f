import 'server-only'
import type { HttpServer } from './http-server'

/** How long a request that has begun may take after the stop signal: the whole stop takes at most five seconds. */
const GRACE_MS = 2000

/** Stops listening, lets begun requests finish, and then cuts what is left. */
export const closeHttpServer = ({ server, refuseKeepAlive }: HttpServer): Promise<void> =>
  new Promise((resolve) => {
    refuseKeepAlive()
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    // Connections that turn idle after their last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
