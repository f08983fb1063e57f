import 'server-only'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { AGENT_ERRORS } from '@/lib/schemas/agent/errors'
import { AGENT_PATHS, REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { ErrorBody } from '@/lib/schemas/api/error-body'
import { REQUEST_ID_HEADER } from '@/lib/server/context/request-id'
import type { Runtime } from '@/lib/server/context/runtime'
import { AgentError } from '@/lib/server/errors/agent-error'
import { ServiceError } from '@/lib/server/errors/service-error'
import { answerPlainly } from '@/lib/server/http/answer-plainly'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { createCommandCache } from '@/lib/services/agent-command/command-cache'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { createReportIngest } from '@/lib/services/report/report-ingest'
import { requestOrigin } from '../http/request-origin'
import { AGENT_RATES, type AgentRates, createAgentGate } from './agent-gate'
import { createHold } from './hold'
import { createInflate } from './inflate'
import { createBudgetShares, createMemoryBudget, drainBody } from './read-body'
import {
  type Receiver,
  receiveCommandResult,
  receiveEnrolment,
  receiveHeartbeat,
  receiveReport,
  receiveSamples,
} from './receive'
import { renderInstallScript } from './render-install-script'

type AgentFile = { bytes: Buffer; sha256: string }

type AgentFiles = {
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

const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body)
  res
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    .end(text)
}

/** An error in the form of the browser's API, with the necessary HTTP headers. */
const sendAgentError = ({
  req,
  res,
  error,
}: {
  req: IncomingMessage
  res: ServerResponse
  error: AgentError
}): void => {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const status = AGENT_ERRORS[error.code]
  if (error.retryAfterSeconds !== undefined) res.setHeader('retry-after', String(error.retryAfterSeconds))
  if (status === 401) res.setHeader('www-authenticate', 'Bearer')
  if (status === 405) res.setHeader('allow', 'POST')
  if (status === 408) res.setHeader('connection', 'close')
  else drainBody(req)
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      requestId: String(res.getHeader(REQUEST_ID_HEADER) ?? ''),
      ...(error.field === undefined ? {} : { field: error.field }),
    },
  }
  sendJson(res, status, body)
}

/** Bytes of bodies that are being read at once. */
const MAX_BODY_BYTES = 67_108_864
/** Of one host: its largest report as it comes. */
const MAX_HOST_BYTES = REPORT_LIMITS.uncompressedBytes
const BODY_TIMEOUT_MS = 10_000
/** How long an agent that sends too often waits for its refusal, so that it cannot ask as fast as it is refused. */
const REFUSAL_HELD_MS = 1000
/** The hosts with commands are queried for all hosts at once, and cached for this time. */
const COMMANDS_FRESH_MS = 1000

type Endpoint = { status: number; receive: (receiver: Receiver, req: IncomingMessage) => Promise<unknown> }

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  [AGENT_PATHS.enroll]: { status: 201, receive: receiveEnrolment },
  [AGENT_PATHS.reports]: { status: 200, receive: receiveReport },
  [AGENT_PATHS.heartbeats]: { status: 200, receive: receiveHeartbeat },
  [AGENT_PATHS.commandResults]: { status: 200, receive: receiveCommandResult },
  [AGENT_PATHS.samples]: { status: 200, receive: receiveSamples },
}

const isOurs = (path: string): boolean =>
  path.startsWith('/api/agent/') || path.startsWith('/agent/') || path === '/install.sh'

const endpointFor = (req: IncomingMessage, path: string): Endpoint => {
  const endpoint = ENDPOINTS[path]
  if (endpoint === undefined) {
    throw new AgentError(
      'not_found',
      `There is nothing at ${path.slice(0, 200)}. This console supports /api/agent/v1.`,
    )
  }
  if (req.method !== 'POST') {
    throw new AgentError('method_not_allowed', `The method is ${req.method}, but ${path} takes POST.`)
  }
  return endpoint
}

/**
 * The agents' side of the console, in front of Next: reports, heartbeats, enrolment, and the files that a host installs.
 * Returns false for other paths, and a result immediately in every case, so the caller does not wait for the answer.
 */
export const createAgentApi = (
  runtime: Runtime,
  {
    rates = AGENT_RATES,
    bodyTimeoutMs = BODY_TIMEOUT_MS,
    maxBodyBytes = MAX_BODY_BYTES,
    commandsFreshMs = COMMANDS_FRESH_MS,
    refusalHeldMs = REFUSAL_HELD_MS,
  }: {
    rates?: AgentRates
    bodyTimeoutMs?: number
    maxBodyBytes?: number
    commandsFreshMs?: number
    refusalHeldMs?: number
  } = {},
): ((req: IncomingMessage, res: ServerResponse) => boolean) => {
  const ingest = createReportIngest(runtime)
  runtime.onStop('finish the reports', ingest.stop)
  const files = createAgentFiles()
  const budget = createMemoryBudget(maxBodyBytes)
  const hold = createHold(refusalHeldMs)
  const receiver: Receiver = {
    runtime,
    gate: createAgentGate({ query: runtime.database.query, rates }),
    ingest,
    commands: createCommandCache({ query: runtime.database.query, freshMs: commandsFreshMs }),
    signer: createCommandSigner(runtime),
    limits: { timeoutMs: bodyTimeoutMs, budget },
    shares: createBudgetShares(budget, MAX_HOST_BYTES),
    inflate: createInflate(),
  }

  const answer = async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    try {
      if (path.startsWith('/api/')) {
        const { status, receive } = endpointFor(req, path)
        sendJson(res, status, await receive(receiver, req))
      } else await serveAgentFile({ req, res, path, files, version: runtime.version, url: runtime.env.url })
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      if (error.code === 'rate_limited') await hold(req)
      sendAgentError({ req, res, error })
    }
  }

  return (req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (!isOurs(path)) return false
    answer(req, res, path).catch((error: unknown) => {
      const requestId = String(res.getHeader(REQUEST_ID_HEADER) ?? '')
      // Agents retry after the time in Retry-After. The cause is only in the console's log.
      answerPlainly({ req, res, error, requestId, log: runtime.log, audience: 'tenant' })
    })
    return true
  }
}
