import 'server-only'
import { Agent, fetch } from 'undici'
import { systemTrust } from './system-trust'
import { webhookSignature } from './webhook-signature'

/** Where to, by the environment alone, and the key of the signature. */
export type Webhook = { url: string; secret: string }

const TIMEOUT_MS = 10_000

const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it could not be reached'
  if (error.name === 'TimeoutError') return `it did not answer within ${TIMEOUT_MS / 1000} s`
  return error.cause instanceof Error ? error.cause.message : error.message
}

/**
 * Posts JSON to the configured address and to no other: a redirect is not followed. Null: it was taken (2xx); else why not. What
 * it answers is not read.
 */
export const sendWebhook = async (
  { url, secret }: Webhook,
  { at, message }: { at: Date; message: Readonly<Record<string, unknown>> },
): Promise<string | null> => {
  const body = JSON.stringify(message)
  const agent = new Agent({ connect: { secureContext: systemTrust() } })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      dispatcher: agent,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sliceboard',
        'sliceboard-signature': webhookSignature(secret, { at, body }),
      },
      body,
    })
    await answer.body?.cancel()
    if (answer.ok) return null
    return answer.status >= 300 && answer.status < 400
      ? `it answers with a redirect (${answer.status}), which is not followed`
      : `it answers ${answer.status}`
  } catch (error) {
    return failureOf(error)
  } finally {
    await agent.destroy()
  }
}
