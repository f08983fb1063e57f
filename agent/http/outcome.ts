import * as z from 'zod/mini'
import type { AgentErrorCode } from '@/lib/schemas/agent/errors'
import type { HttpResponse } from './http-client'
import { parseRetryAfter } from './retry-after'

/** What became of a request. `message` is a sentence for the log: the console's own, or what kept us from reaching it. */
export type Outcome<Answer> =
  | { kind: 'ok'; answer: Answer }
  /** 409: to a heartbeat it says that the console lacks this digest and wants the full report. */
  | { kind: 'conflict'; message: string }
  /** The same request will never be taken (400, 413, 422 …). */
  | { kind: 'refused'; message: string }
  /** The token or credential is not accepted (401, 403). */
  | { kind: 'unauthorized'; message: string }
  /**
   * Later it may work. `isFault`: the console failed on this very request (500); `isPending`: an admin has to approve the
   * enrollment first.
   */
  | { kind: 'retry'; message: string; retryAfterMs: number | null; isFault: boolean; isPending?: true }

const errorSchema = z.object({ error: z.object({ code: z.catch(z.string(), ''), message: z.string() }) })

/** A 403 that is about the content: the credential is good, this report is of a host that it does not speak for. */
const OTHER_HOST: AgentErrorCode = 'credential_of_other_host'
const PENDING: AgentErrorCode = 'enrollment_pending'

/** Answers unrelated to the request itself: another server is at the address, or this one is in trouble. */
const isPassing = (status: number) =>
  status < 400 || status >= 500 || [404, 405, 408, 425, 429].includes(status)

export const readOutcome = <Answer>(
  response: HttpResponse,
  schema: z.ZodMiniType<Answer>,
  now: Date,
): Outcome<Answer> => {
  const { status, headers, text } = response
  const body = parseJson(text)
  if (status === 200 || status === 201) {
    const parsed = schema.safeParse(body)
    if (parsed.success) return { kind: 'ok', answer: parsed.data }
    return {
      kind: 'retry',
      message: 'The answer is not the one of a Sliceboard console.',
      retryAfterMs: null,
      isFault: false,
    }
  }
  const error = errorSchema.safeParse(body).data?.error ?? null
  const message = messageOf(status, headers.location, error)
  if (error?.code === OTHER_HOST) return { kind: 'refused', message }
  if (status === 401 || status === 403) return { kind: 'unauthorized', message }
  if (status === 409) return { kind: 'conflict', message }
  if (!isPassing(status)) return { kind: 'refused', message }
  const retryAfterMs = parseRetryAfter({ retryAfter: headers['retry-after'], date: headers.date, now })
  const retry = { kind: 'retry', message, retryAfterMs, isFault: status === 500 } as const
  return error?.code === PENDING ? { ...retry, isPending: true } : retry
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const messageOf = (
  status: number,
  location: string | undefined,
  error: { message: string } | null,
): string => {
  if (error !== null) return `${shorten(error.message).replace(/\.\s*$/, '')} (status ${status}).`
  if (status >= 300 && status < 400 && location !== undefined)
    return `It redirects to ${shorten(location)}; name the console's final address in agent.toml (status ${status}).`
  return `It answered with status ${status}.`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const shorten = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 300)

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'its name is not known to DNS',
  EAI_AGAIN: 'DNS does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not answer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it as ca_file in agent.toml',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is not known here; name it as ca_file in agent.toml',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate authority is not known here; name it as ca_file in agent.toml',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate authority is not known here; name it as ca_file in agent.toml',
}

/** Sentence for a request that got no answer. */
export const describeFailure = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code] ?? (error instanceof Error && error.message !== '' ? error.message : code)
  return `The console was not reached: ${shorten(reason)}.`
}
