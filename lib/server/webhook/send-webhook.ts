import 'server-only'
import { postSigned } from './post-webhook'

/** Address and signing key, both from the settings. */
export type Webhook = { url: string; secret: string }

/**
 * Posts JSON to the configured address and to no other: a redirect is not followed. Null: the receiver accepted it (2xx); else
 * the reason.
 */
export const sendWebhook = async (
  { url, secret }: Webhook,
  { at, message }: { at: Date; message: Readonly<Record<string, unknown>> },
): Promise<string | null> => (await postSigned(url, { at, secret, body: JSON.stringify(message) })).failure
