import 'server-only'
import { sign } from 'node:crypto'
import { type CommandOrder, commandOrderSchema, type SignedCommand } from '@/lib/schemas/agent/command'
import type { Database } from '@/lib/server/database/database'
import type { SecretBox } from '@/lib/server/secrets/secret-box'
import { createKey, findSealedKey, openKey, type SigningKey } from './signing-keys'

export type CommandSigner = {
  /** base64url of the public key's 32 bytes. */
  publicKeyOf: (cloudId: number) => Promise<string>
  sign: (cloudId: number, order: CommandOrder) => Promise<SignedCommand>
}

type Input = { database: Database; box: SecretBox; now: () => Date }

/**
 * Signs commands with the cloud's own Ed25519 key, which is created at first need and stored encrypted. Only
 * `npm run key:replace` replaces it: a key that cannot be decrypted is an error.
 */
export const createCommandSigner = (input: Input): CommandSigner => {
  const opened = new Map<number, SigningKey>()
  const keyFor = async (cloudId: number): Promise<SigningKey> => {
    // The stored form is compared each time, since the key may have been replaced while this console runs.
    const sealed = await findSealedKey(input, cloudId)
    const known = opened.get(cloudId)
    if (known !== undefined && known.sealed === sealed) return known
    const key = sealed === null ? await createKey(input, cloudId) : openKey(input, cloudId, sealed)
    if (key === null) return keyFor(cloudId)
    opened.set(cloudId, key)
    return key
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
