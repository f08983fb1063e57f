import 'server-only'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@/lib/server/errors/service-error'
import { rootDirectory } from '@/lib/server/settings/root-directory'

type AgentFile = { bytes: Buffer; sha256: string }

export type AgentFiles = {
  /** The agent that hosts install, with the lower-case hex of its SHA-256. */
  agent: () => Promise<AgentFile>
  installTemplate: () => Promise<{ template: string; unit: string }>
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The files that hosts download from the console. The agent is loaded again after a new build. */
export const createAgentFiles = (root = rootDirectory()): AgentFiles => {
  const agentPath = join(root, 'dist', 'sliceboard-agent.mjs')
  const installPath = join(root, 'agent', 'install')
  let held: { version: string; file: AgentFile } | null = null

  return {
    agent: async () => {
      try {
        const { mtimeMs, size } = await stat(agentPath)
        const version = `${mtimeMs} ${size}`
        if (held?.version === version) return held.file
        const bytes = await readFile(agentPath)
        const file = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
        held = { version, file }
        return file
      } catch (error) {
        if (!isMissing(error)) throw error
        throw new ServiceError(
          'not_found',
          'The agent is not built on this console: run npm run build:agent.',
        )
      }
    },
    installTemplate: async () => ({
      template: await readFile(join(installPath, 'install.sh'), 'utf8'),
      unit: await readFile(join(installPath, 'sliceboard-agent.service'), 'utf8'),
    }),
  }
}
