import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AGENT_PATHS, REPORT_LIMITS } from '@/lib/schemas/agent/report'
import { REQUEST_ID_HEADER } from '@/lib/server/context/request-id'
import type { Runtime } from '@/lib/server/context/runtime'
import { AgentError } from '@/lib/server/errors/agent-error'
import { answerPlainly } from '@/lib/server/http/answer-plainly'
import { createCommandBoard } from '@/lib/services/agent-command/command-board'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { createReportIngest } from '@/lib/services/report/report-ingest'
import { createAgentFiles } from './agent-files'
import { AGENT_RATES, type AgentRates, createAgentGate } from './agent-gate'
import { createHold } from './hold'
import { createInflate } from './inflate'
import { createBudgetShares, createMemoryBudget } from './read-body'
import {
  type Receiver,
  receiveCommandResult,
  receiveEnrolment,
  receiveHeartbeat,
  receiveReport,
  receiveSamples,
} from './receive'
import { sendAgentError, sendJson } from './send'
import { serveAgentFile } from './serve-agent-files'

/** Bytes of bodies that are being read at once. */
const MOST_BODY_BYTES = 67_108_864
/** Of one host: its largest report as it comes. */
const MOST_HOST_BYTES = REPORT_LIMITS.uncompressedBytes
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
      `There is nothing at ${path.slice(0, 200)}. This console speaks /api/agent/v1.`,
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
    mostBodyBytes = MOST_BODY_BYTES,
    commandsFreshMs = COMMANDS_FRESH_MS,
    refusalHeldMs = REFUSAL_HELD_MS,
  }: {
    rates?: AgentRates
    bodyTimeoutMs?: number
    mostBodyBytes?: number
    commandsFreshMs?: number
    refusalHeldMs?: number
  } = {},
): ((req: IncomingMessage, res: ServerResponse) => boolean) => {
  const ingest = createReportIngest(runtime)
  runtime.onStop('finish the reports', ingest.stop)
  const files = createAgentFiles()
  const budget = createMemoryBudget(mostBodyBytes)
  const hold = createHold(refusalHeldMs)
  const receiver: Receiver = {
    runtime,
    gate: createAgentGate({ query: runtime.database.query, rates }),
    ingest,
    board: createCommandBoard({ query: runtime.database.query, freshMs: commandsFreshMs }),
    signer: createCommandSigner(runtime),
    limits: { timeoutMs: bodyTimeoutMs, budget },
    shares: createBudgetShares(budget, MOST_HOST_BYTES),
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
