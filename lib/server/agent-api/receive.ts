import 'server-only'
import type { IncomingMessage } from 'node:http'
import type * as z from 'zod/mini'
import { COMMAND_LIMITS, type CommandReceipt, commandResultSchema } from '@/lib/schemas/agent/command'
import { digestSchema } from '@/lib/schemas/agent/primitives'
import {
  type Acknowledgement,
  CONTRACT_VERSION,
  ENROLLMENT_HEADERS,
  type EnrollResponse,
  enrollRequestSchema,
  HEARTBEAT_HEADERS,
  parsePosition,
  parseWatched,
  REPORT_HEADERS,
  type Watched,
} from '@/lib/schemas/agent/report'
import { type SamplesReceipt, samplesSchema } from '@/lib/schemas/agent/samples'
import { REQUEST_ID_HEADER } from '@/lib/server/context/request-id'
import type { Runtime } from '@/lib/server/context/runtime'
import { AgentError } from '@/lib/server/errors/agent-error'
import { parseInput } from '@/lib/server/errors/parse-input'
import { isServiceError } from '@/lib/server/errors/service-error'
import type { CommandCache, Notice } from '@/lib/services/agent-command/command-cache'
import type { CommandSigner } from '@/lib/services/agent-command/command-signer'
import { deliverCommands } from '@/lib/services/agent-command/deliver-commands'
import { takeResult } from '@/lib/services/agent-command/take-result'
import { loadNovaRange } from '@/lib/services/cloud/nova-range'
import { enrollHost } from '@/lib/services/enrollment/enroll-host'
import type { ReportMember } from '@/lib/services/report/group-member'
import {
  memberOfHeartbeat,
  memberOfReport,
  type Receipt,
  type ReportArrival,
  receiptOf,
  storedBody,
} from '@/lib/services/report/ingest-report'
import { parseReport } from '@/lib/services/report/parse-report'
import {
  checkContractVersion,
  checkShape,
  isOfNewerContract,
  leaveOutUnknown,
} from '@/lib/services/report/read-message'
import type { ReportIngest } from '@/lib/services/report/report-ingest'
import { takeSamples } from '@/lib/services/utilization/take-samples'
import { CLIENT_ADDRESS_HEADER } from '../session/request-facts'
import type { AgentActor, AgentGate } from './agent-gate'
import {
  type AgentBodyLimits,
  type BodyLimits,
  headerOf,
  type ReportBody,
  readJson,
  readPlainJson,
  readReportBody,
} from './agent-request'
import type { Inflate } from './inflate'
import type { MemoryBudget } from './read-body'

const ENROLMENT_BYTES = 16_384
/** Escapes may make six bytes of one. */
const RESULT_BYTES = 6 * (COMMAND_LIMITS.contentBytes + COMMAND_LIMITS.outputCharacters) + ENROLMENT_BYTES

export type Receiver = {
  runtime: Runtime
  gate: AgentGate
  ingest: ReportIngest
  limits: BodyLimits
  /** What one host's bodies may hold while they are read. */
  shares: { of: (hostId: number) => MemoryBudget }
  inflate: Inflate
  commands: CommandCache
  signer: CommandSigner
}

/** While a change waits for a host. */
const AWAITED_INTERVAL_SECONDS = 2

const commandsFor = async (
  { runtime, signer }: Receiver,
  actor: AgentActor,
  notice: Notice | Promise<Notice>,
): Promise<Partial<Acknowledgement>> => {
  try {
    const { hasCommands, isAwaited } = await notice
    if (!isAwaited) return {}
    const intervalSeconds = Math.min(runtime.env.reportIntervalSeconds, AWAITED_INTERVAL_SECONDS)
    if (!hasCommands) return { intervalSeconds }
    const commandKey = await signer.publicKeyOf(actor.cloudId)
    return { intervalSeconds, commandKey, commands: await deliverCommands(runtime, actor) }
  } catch (err) {
    // The report itself is committed: its answer must not fail for this.
    runtime.log.warn({ err, host: actor.hostName }, 'Commands could not be sent to a host; it will retry')
    return {}
  }
}

/** Immediately, unless a command waits for the host. */
const acknowledge = (
  receiver: Receiver,
  { actor, receipt }: { actor: AgentActor; receipt: Receipt },
): Acknowledgement | Promise<Acknowledgement> => {
  const { reportIntervalSeconds: intervalSeconds, samplesEverySeconds } = receiver.runtime.env
  const { isApplied, newest } = receipt
  const acknowledgement = { isApplied, newest, intervalSeconds, samplesEverySeconds }
  const notice = receiver.commands.of(actor.hostId)
  if (!(notice instanceof Promise) && !notice.isAwaited) return acknowledgement
  return commandsFor(receiver, actor, notice).then((commands) => ({ ...acknowledgement, ...commands }))
}

/** A revoked credential is queried again from then on. */
const forgetRevoked = ({ gate }: Receiver, actor: AgentActor, error: unknown): void => {
  if (error instanceof AgentError && error.code === 'unauthorized') gate.forget(actor.credentialId)
}

const sentAtOf = (req: IncomingMessage): Date | null => {
  const text = headerOf(req, REPORT_HEADERS.sentAt)
  if (text === null) return null
  const sentAt = new Date(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(sentAt.getTime())) return sentAt
  throw new AgentError(
    'invalid_request',
    `${REPORT_HEADERS.sentAt} is "${text.slice(0, 60)}", but must be a time in ISO 8601.`,
    { field: REPORT_HEADERS.sentAt },
  )
}

const watchedOf = (req: IncomingMessage): Watched | null => {
  const text = headerOf(req, REPORT_HEADERS.watched)
  if (text === null) return null
  const watched = parseWatched(text)
  if (watched !== null) return watched
  throw new AgentError(
    'invalid_request',
    `${REPORT_HEADERS.watched} is "${text.slice(0, 60)}", but must be milliseconds, like 86400000 or 86400000+350.`,
    { field: REPORT_HEADERS.watched },
  )
}

const limitsOf = ({ limits, shares, inflate, gate }: Receiver, actor: AgentActor): AgentBodyLimits => ({
  timeoutMs: limits.timeoutMs,
  budget: shares.of(actor.hostId),
  hostId: actor.hostId,
  inflate,
  charge: (bytes) => gate.admitBytes(actor, bytes),
})

const memberOf = async (
  { runtime }: Receiver,
  actor: AgentActor,
  { gzipped, unpack }: ReportBody,
  arrival: ReportArrival,
): Promise<ReportMember> => {
  const [json, range] = await Promise.all([unpack(), loadNovaRange(runtime.database, actor.cloudId)])
  const report = parseReport(json)
  return memberOfReport(actor, { report, body: await storedBody(json, gzipped), arrival, range })
}

/** `POST /api/agent/v1/reports`. */
export const receiveReport = async (receiver: Receiver, req: IncomingMessage): Promise<Acknowledgement> => {
  const { runtime, gate, ingest } = receiver
  const receivedAt = runtime.now()
  const actor = await gate.admit(req)
  const arrival = { receivedAt, sentAt: sentAtOf(req), watchedMs: watchedOf(req)?.forMs ?? null }
  ingest.admission.check()
  const body = await readReportBody(req, limitsOf(receiver, actor))
  const leave = ingest.admission.enter()
  try {
    const receipt = receiptOf(await ingest.take(() => memberOf(receiver, actor, body, arrival)))
    return await acknowledge(receiver, { actor, receipt })
  } catch (error) {
    forgetRevoked(receiver, actor, error)
    throw error
  } finally {
    leave()
  }
}

const heartbeatOf = (req: IncomingMessage) => {
  if (Number(req.headers['content-length'] ?? 0) > 0 || req.headers['transfer-encoding'] !== undefined) {
    throw new AgentError('invalid_request', 'A heartbeat has a body, but must have none.')
  }
  const header = headerOf(req, HEARTBEAT_HEADERS.position)
  const position = parsePosition(header ?? '')
  if (position === null) {
    throw new AgentError(
      'invalid_position',
      `${HEARTBEAT_HEADERS.position} is ${header === null ? 'missing' : `"${header.slice(0, 60)}"`}, but must be <boot>.<sequence>, like 12.345.`,
      { field: HEARTBEAT_HEADERS.position },
    )
  }
  const digest = digestSchema.safeParse(headerOf(req, HEARTBEAT_HEADERS.digest))
  if (!digest.success) {
    throw new AgentError(
      'invalid_digest',
      `${HEARTBEAT_HEADERS.digest} must be the digest of the last report: 43 characters of base64url.`,
      { field: HEARTBEAT_HEADERS.digest },
    )
  }
  return { position, digest: digest.data, watched: watchedOf(req) }
}

/** `POST /api/agent/v1/heartbeats`. */
export const receiveHeartbeat = async (
  receiver: Receiver,
  req: IncomingMessage,
): Promise<Acknowledgement> => {
  const { runtime, gate, ingest } = receiver
  const receivedAt = runtime.now()
  const actor = await gate.admit(req)
  const heartbeat = heartbeatOf(req)
  try {
    const receipt = receiptOf(await ingest.commit(memberOfHeartbeat(actor, { ...heartbeat, receivedAt })))
    return await acknowledge(receiver, { actor, receipt })
  } catch (error) {
    forgetRevoked(receiver, actor, error)
    throw error
  }
}

/** `POST /api/agent/v1/command-results`. */
export const receiveCommandResult = async (
  receiver: Receiver,
  req: IncomingMessage,
): Promise<CommandReceipt> => {
  const { runtime, gate } = receiver
  const actor = await gate.admit(req)
  const limits = limitsOf(receiver, actor)
  const result = parseRequest(commandResultSchema, await readPlainJson(req, limits, RESULT_BYTES))
  try {
    return await takeResult(runtime, { actor, result })
  } catch (error) {
    forgetRevoked(receiver, actor, error)
    throw error
  }
}

/** `POST /api/agent/v1/samples`. */
export const receiveSamples = async (receiver: Receiver, req: IncomingMessage): Promise<SamplesReceipt> => {
  const { runtime, gate } = receiver
  const receivedAt = runtime.now()
  const actor = await gate.admit(req)
  const sentAt = sentAtOf(req)
  const input = await readJson(req, limitsOf(receiver, actor))
  checkContractVersion(input, CONTRACT_VERSION)
  const samples = parseRequest(samplesSchema, input)
  const { keepMinutesDays } = runtime.env
  try {
    return await takeSamples(
      { database: runtime.database, keepMinutesDays },
      { actor, samples, sentAt, receivedAt },
    )
  } catch (error) {
    forgetRevoked(receiver, actor, error)
    throw error
  }
}

const requesterOf = (req: IncomingMessage): string | null => {
  const text = headerOf(req, ENROLLMENT_HEADERS.requester)
  if (text === null || /^[A-Za-z0-9_-]{22,64}$/.test(text)) return text
  throw new AgentError(
    'invalid_request',
    `${ENROLLMENT_HEADERS.requester} must be 22 to 64 characters of base64url.`,
    { field: ENROLLMENT_HEADERS.requester },
  )
}

const parseRequest = <Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> => {
  try {
    if (!isOfNewerContract(input)) return parseInput(schema, input)
    checkShape(input)
    return parseInput(schema, leaveOutUnknown(schema, input))
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'validation') throw error
    throw new AgentError(
      'invalid_request',
      error.message,
      error.field === undefined ? {} : { field: error.field },
    )
  }
}

/** `POST /api/agent/v1/enroll`. */
export const receiveEnrolment = async (
  { runtime, gate, limits, signer }: Receiver,
  req: IncomingMessage,
): Promise<EnrollResponse> => {
  const token = gate.admitEnrolment(req)
  const requester = requesterOf(req)
  const input = await readPlainJson(req, limits, ENROLMENT_BYTES)
  checkContractVersion(input, CONTRACT_VERSION)
  const request = parseRequest(enrollRequestSchema, input)
  const { cloudId, ...response } = await enrollHost(runtime, {
    token,
    request,
    intervalSeconds: runtime.env.reportIntervalSeconds,
    address: headerOf(req, CLIENT_ADDRESS_HEADER) ?? req.socket.remoteAddress ?? 'unknown',
    requester,
  })
  const requestId = req.headers[REQUEST_ID_HEADER]
  runtime.log.info({ requestId, host: response.hostName, cloud: response.cloud }, 'Host enrolled')
  try {
    return { ...response, commandKey: await signer.publicKeyOf(cloudId) }
  } catch (err) {
    // The credential is given out: the key comes with the first command then.
    runtime.log.warn(
      { err, host: response.hostName },
      'A host was enrolled without the signing key of commands',
    )
    return response
  }
}
