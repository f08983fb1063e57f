import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/server/errors/service-error'
import { requestOrigin } from '../http/request-origin'
import type { AgentFiles } from './agent-files'
import { renderInstallScript } from './render-install-script'

type Download = { type: string; bytes: Buffer }

const AGENT_NAME = 'sliceboard-agent.mjs'

const installScript = async (files: AgentFiles, version: string, origin: string): Promise<Download> => {
  const [{ sha256 }, { template, unit }] = await Promise.all([files.agent(), files.installTemplate()])
  const script = renderInstallScript({
    template,
    unit,
    serverUrl: origin,
    agentSha256: sha256,
    agentVersion: version,
  })
  return { type: 'text/x-shellscript; charset=utf-8', bytes: Buffer.from(script) }
}

const find = async (
  path: string,
  { files, version, origin }: { files: AgentFiles; version: string; origin: string },
): Promise<Download> => {
  switch (path) {
    case '/install.sh':
      return installScript(files, version, origin)
    case `/agent/${AGENT_NAME}`:
      return { type: 'text/javascript; charset=utf-8', bytes: (await files.agent()).bytes }
    case `/agent/${AGENT_NAME}.sha256`: {
      const { sha256 } = await files.agent()
      return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(`${sha256}  ${AGENT_NAME}\n`) }
    }
    default:
      throw new ServiceError(
        'not_found',
        `There is nothing at ${path}. The agent is at /agent/${AGENT_NAME}.`,
      )
  }
}

/** Serves the install script, the agent and its checksum. None of them is secret. */
export const serveAgentFile = async ({
  req,
  res,
  path,
  files,
  version,
  url = null,
}: {
  req: IncomingMessage
  res: ServerResponse
  path: string
  files: AgentFiles
  version: string
  /** The console's own address; null: as in the host's request. */
  url?: string | null
}): Promise<void> => {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    throw new ServiceError('validation', `The method is ${req.method}, but ${path} is only there to GET.`)
  }
  const origin = requestOrigin({ url }, req.headers.host)
  const { type, bytes } = await find(path, { files, version, origin })
  res.writeHead(200, { 'content-type': type, 'content-length': bytes.length, 'cache-control': 'no-store' })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}
