import 'server-only'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type CommandOrder, commandOrderSchema, type SignedCommand } from '@/lib/schemas/agent/command'
import { writeAudit } from '@/lib/server/audit'
import type { Database } from '@/lib/server/database/database'
import type { SecretBox } from '@/lib/server/session/secret-box'

export type CommandSigner = {
  /** base64url of the public key's 32 bytes. */
  publicKeyOf: (cloudId: number) => Promise<string>
  sign: (cloudId: number, order: CommandOrder) => Promise<SignedCommand>
}

type Input = { database: Database; box: SecretBox; now: () => Date }
type Key = { publicKey: string; privateKey: KeyObject }

const FIND = 'SELECT sealed_key AS "sealedKey" FROM command_key WHERE cloud_id = $1'

const INSERT = `
INSERT INTO command_key (cloud_id, public_key, sealed_key, created_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT (cloud_id) DO UPDATE SET public_key = excluded.public_key, sealed_key = excluded.sealed_key,
  created_at = excluded.created_at WHERE command_key.sealed_key = $5
RETURNING cloud_id`

const purposeOf = (cloudId: number): string => `command-key:${cloudId}`

const keyOf = (pem: string): Key => {
  const privateKey = createPrivateKey(pem)
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('the key of commands is not an Ed25519 key')
  return { publicKey: x, privateKey }
}

/** Null: there is none, or the secret that sealed it is gone. */
const find = async (
  { database, box }: Input,
  cloudId: number,
): Promise<{ key: Key | null; sealed: string | null }> => {
  const [row] = await database.query<{ sealedKey: string }>(FIND, [cloudId])
  if (row === undefined) return { key: null, sealed: null }
  const pem = box.open(row.sealedKey, purposeOf(cloudId))
  return { key: pem === null ? null : keyOf(pem), sealed: row.sealedKey }
}

/** Of two consoles that make the first key at once, both take the one that was there first. */
const findOrMake = async (input: Input, cloudId: number): Promise<Key> => {
  const { database, box, now } = input
  const { key, sealed } = await find(input, cloudId)
  if (key !== null) return key
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const made = keyOf(pem)
  const isOurs = await database.transaction(async (query) => {
    const at = now()
    const params = [cloudId, made.publicKey, box.seal(pem, purposeOf(cloudId)), at, sealed ?? '']
    if ((await query(INSERT, params)).length === 0) return false
    await writeAudit(query, {
      at,
      actor: { kind: 'system' },
      cloud: { id: cloudId },
      action: sealed === null ? 'command-key.create' : 'command-key.replace',
      subject: `cloud:${cloudId}`,
      before: null,
      after: { publicKey: made.publicKey },
    })
    return true
  })
  if (isOurs) return made
  const { key: theirs } = await find(input, cloudId)
  if (theirs === null)
    throw new Error(`the key of commands of cloud ${cloudId} can't be opened with SLICEBOARD_SECRET`)
  return theirs
}

/**
 * Signs commands with the cloud's own Ed25519 key, made at first need and stored sealed. When the secret that sealed it is
 * gone a new one is made: agents that know the old one then refuse until they are enrolled again.
 */
export const createCommandSigner = (input: Input): CommandSigner => {
  const keys = new Map<number, Promise<Key>>()
  const keyFor = (cloudId: number): Promise<Key> => {
    const held = keys.get(cloudId) ?? findOrMake(input, cloudId)
    keys.set(cloudId, held)
    held.catch(() => keys.delete(cloudId))
    return held
  }
  return {
    publicKeyOf: async (cloudId) => (await keyFor(cloudId)).publicKey,
    sign: async (cloudId, order) => {
      const { privateKey } = await keyFor(cloudId)
      const text = JSON.stringify(commandOrderSchema.parse(order))
      return { order: text, signature: sign(null, Buffer.from(text), privateKey).toString('base64url') }
    },
  }
}
