import 'server-only'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { StartError } from '@/lib/server/errors/start-error'
import { setNextEnvironment } from '@/lib/server/settings/env'
import type { HttpHandler } from './http-server'

type Pages = { handle: HttpHandler; close: () => Promise<void> }

export const startNext = async ({
  directory,
  isDevelopment,
  hostname,
  port,
  server,
}: {
  directory: string
  isDevelopment: boolean
  hostname: string
  port: number
  server: Server
}): Promise<Pages> => {
  if (!isDevelopment && !existsSync(join(directory, '.next', 'BUILD_ID'))) {
    throw new StartError('The pages are not built: run "npm run build" first.')
  }
  // Loaded late, because Next and React read the environment when they are loaded.
  setNextEnvironment({ isDevelopment })
  const { default: next } = await import('next')
  const app = next({ dev: isDevelopment, dir: directory, hostname, port, httpServer: server })
  await app.prepare()
  const handle = app.getRequestHandler()
  return { handle: (req, res) => handle(req, res), close: () => app.close() }
}
