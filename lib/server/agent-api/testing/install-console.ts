import { cp, mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { bundleAgent } from '@/scripts/agent-build/bundle'
import { createAgentApi, createAgentFiles, serveAgentFile } from '../agent-api'
import type { AgentConsole } from './agent-console'

/** A console that serves the installer and an agent built into `directory`, with the API of `agents`. */
export const startInstallConsole = async (agents: AgentConsole, directory: string) => {
  const built = path.join(directory, 'console')
  await mkdir(path.join(built, 'dist'), { recursive: true })
  await cp(path.join(rootDirectory(), 'agent/install'), path.join(built, 'agent/install'), {
    recursive: true,
  })
  const outfile = path.join(built, 'dist/sliceboard-agent.mjs')
  await bundleAgent({ entry: 'agent/main.ts', format: 'esm', outfile, banner: '#!/usr/bin/env node' })
  const files = createAgentFiles(built)
  const api = createAgentApi(agents.runtime)
  const server = createServer(async (req, res) => {
    const file = req.url ?? ''
    if (file.startsWith('/api/')) await api(req, res)
    else await serveAgentFile({ req, res, path: file, files, version: '0.1.0' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
