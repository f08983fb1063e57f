import type * as z from 'zod/mini'
import { type CommandReceipt, type CommandResult, commandReceiptSchema } from '@/lib/schemas/agent/command'
import {
  type Acknowledgement,
  AGENT_PATHS,
  acknowledgementSchema,
  CONTRACT_VERSION,
  ENROLLMENT_HEADERS,
  type EnrollResponse,
  enrollResponseSchema,
  formatPosition,
  formatWatched,
  HEARTBEAT_HEADERS,
  type Position,
  REPORT_HEADERS,
  type Watched,
} from '@/lib/schemas/agent/report'
import { REVISION_MEMBER } from '@/lib/schemas/agent/revision'
import { type SamplesReceipt, samplesReceiptSchema } from '@/lib/schemas/agent/samples'
import { createHttpClient, type HttpClientOptions } from './http-client'
import { describeFailure, type Outcome, readOutcome } from './outcome'

type Cancellable = { signal?: AbortSignal | undefined }

export type ConsoleClient = {
  /** `requester` distinguishes this agent from others with the same join token. */
  enroll: (
    request: Cancellable & { token: string; hostName: string; requester: string },
  ) => Promise<Outcome<EnrollResponse>>
  /** `body` is gzip of the JSON of a report; `watchedMs` null: unknown. */
  report: (
    request: Cancellable & { credential: string; body: Buffer; watchedMs: number | null },
  ) => Promise<Outcome<Acknowledgement>>
  heartbeat: (
    request: Cancellable & {
      credential: string
      position: Position
      digest: string
      watched: Watched | null
    },
  ) => Promise<Outcome<Acknowledgement>>
  commandResult: (
    request: Cancellable & { credential: string; result: CommandResult },
  ) => Promise<Outcome<CommandReceipt>>
  /** `body` is gzip of the JSON of samples. */
  samples: (request: Cancellable & { credential: string; body: Buffer }) => Promise<Outcome<SamplesReceipt>>
  close: () => void
}

type Sending<Answer> = Cancellable & {
  path: string
  secret: string
  headers: Record<string, string>
  body: Buffer | null
  schema: z.ZodMiniType<Answer>
}

/** Implements the agent's side of the contract with one console. Its methods do not reject: each failure is an outcome. */
export const createConsoleClient = (options: HttpClientOptions & { agentVersion: string }): ConsoleClient => {
  const http = createHttpClient(options)
  const bodyHeaders = {
    'content-type': 'application/json',
    'user-agent': `sliceboard-agent/${options.agentVersion}`,
  }

  const send = async <Answer>(sending: Sending<Answer>): Promise<Outcome<Answer>> => {
    const { path, secret, headers, body, schema, signal } = sending
    try {
      const response = await http.post({
        path,
        headers: { authorization: `Bearer ${secret}`, ...headers },
        body,
        signal,
      })
      return hide(secret, readOutcome(response, schema, new Date()))
    } catch (error) {
      return hide(secret, {
        kind: 'retry',
        message: describeFailure(error),
        retryAfterMs: null,
        isFault: false,
      })
    }
  }

  return {
    enroll: ({ token, hostName, requester, signal }) => {
      const request = {
        contractVersion: CONTRACT_VERSION,
        ...REVISION_MEMBER,
        hostName,
        agentVersion: options.agentVersion,
      }
      return send({
        path: AGENT_PATHS.enroll,
        secret: token,
        headers: { ...bodyHeaders, [ENROLLMENT_HEADERS.requester]: requester },
        body: Buffer.from(JSON.stringify(request)),
        schema: enrollResponseSchema,
        signal,
      })
    },
    report: ({ credential, body, watchedMs, signal }) =>
      send({
        path: AGENT_PATHS.reports,
        secret: credential,
        headers: {
          ...bodyHeaders,
          'content-encoding': 'gzip',
          [REPORT_HEADERS.sentAt]: new Date().toISOString(),
          ...(watchedMs === null
            ? {}
            : { [REPORT_HEADERS.watched]: formatWatched({ forMs: watchedMs, agoMs: 0 }) }),
        },
        body,
        schema: acknowledgementSchema,
        signal,
      }),
    // Every host sends one every round: nothing but what the contract requires.
    heartbeat: ({ credential, position, digest, watched, signal }) =>
      send({
        path: AGENT_PATHS.heartbeats,
        secret: credential,
        headers: {
          [HEARTBEAT_HEADERS.position]: formatPosition(position),
          [HEARTBEAT_HEADERS.digest]: digest,
          ...(watched === null ? {} : { [HEARTBEAT_HEADERS.watched]: formatWatched(watched) }),
        },
        body: null,
        schema: acknowledgementSchema,
        signal,
      }),
    commandResult: ({ credential, result, signal }) =>
      send({
        path: AGENT_PATHS.commandResults,
        secret: credential,
        headers: bodyHeaders,
        body: Buffer.from(JSON.stringify({ ...REVISION_MEMBER, ...result })),
        schema: commandReceiptSchema,
        signal,
      }),
    samples: ({ credential, body, signal }) =>
      send({
        path: AGENT_PATHS.samples,
        secret: credential,
        headers: {
          ...bodyHeaders,
          'content-encoding': 'gzip',
          [REPORT_HEADERS.sentAt]: new Date().toISOString(),
        },
        body,
        schema: samplesReceiptSchema,
        signal,
      }),
    close: http.close,
  }
}

/** A console or proxy that repeats our header in its error must not bring the secret into the log. */
const hide = <Answer>(secret: string, outcome: Outcome<Answer>): Outcome<Answer> =>
  outcome.kind === 'ok' ? outcome : { ...outcome, message: outcome.message.replaceAll(secret, '(hidden)') }
