import { createPublicKey, verify } from 'node:crypto'
import { type CommandOrder, commandOrderSchema, type SignedCommand } from '@/lib/schemas/agent/command'
import { parseJson } from '../enroll/credential-file'

/** `id` null: there is no command to report a result for. */
export type Verdict =
  | { kind: 'genuine'; order: CommandOrder }
  | { kind: 'refused'; id: string | null; reason: string }

const isSignedBy = (key: string, { order, signature }: SignedCommand): boolean => {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
  return verify(null, Buffer.from(order), publicKey, Buffer.from(signature, 'base64url'))
}

const idOf = (order: unknown): string | null =>
  commandOrderSchema.shape.id.safeParse(
    typeof order === 'object' && order !== null && 'id' in order ? order.id : null,
  ).data ?? null

/** Whether an order is the console's, for this host, and not too late. Nothing of it is believed before its signature. */
export const verifyOrder = (
  signed: SignedCommand,
  { key, hostName, now }: { key: string | null; hostName: string; now: Date },
): Verdict => {
  const content = parseJson(signed.order)
  const refuse = (reason: string): Verdict => ({ kind: 'refused', id: idOf(content), reason })
  if (key === null) return refuse('This host knows no key of the console yet, so it can believe no command.')
  if (!isSignedBy(key, signed))
    return refuse(
      'The command is not signed with the key that this host knows. If the console has a new key, enroll the host again.',
    )
  const parsed = commandOrderSchema.safeParse(content)
  if (!parsed.success)
    return refuse(
      `The command has a form that this agent does not know, at ${parsed.error.issues[0]?.path.join('.') || 'its top'}: install the agent of the console's version.`,
    )
  const { host, expiresAt } = parsed.data
  if (host !== hostName) return refuse(`The command is for the host ${host}, and this is ${hostName}.`)
  if (now.getTime() >= Date.parse(expiresAt))
    return refuse(
      `The command was valid until ${expiresAt}, but the clock of this host is at ${now.toISOString()}.`,
    )
  return { kind: 'genuine', order: parsed.data }
}
