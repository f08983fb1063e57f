import 'server-only'
import { createHmac } from 'node:crypto'

/** `t=<Unix time in s>,v1=<HMAC-SHA256 of "t.body" in hex>`: the time is in it, so that an old call can't be sent again. */
export const webhookSignature = (secret: string, { at, body }: { at: Date; body: string }): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
