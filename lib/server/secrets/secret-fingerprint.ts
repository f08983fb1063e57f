import 'server-only'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt)

/** Each guess takes 16 MiB and about 50 ms. */
const COST = { N: 16_384, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** `scrypt.<salt>.<hash>`: identifies a secret without helping to guess it. A new salt each time. */
export const createFingerprint = async (secret: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(secret, salt, HASH_BYTES, COST)
  return ['scrypt', salt.toString('base64url'), hash.toString('base64url')].join('.')
}

/** Whether the fingerprint was created from this secret. */
export const matchesFingerprint = async (secret: string, fingerprint: string): Promise<boolean> => {
  const [kind, salt = '', hash = ''] = fingerprint.split('.')
  if (kind !== 'scrypt') return false
  const expected = Buffer.from(hash, 'base64url')
  if (expected.length !== HASH_BYTES) return false
  return timingSafeEqual(expected, await derive(secret, Buffer.from(salt, 'base64url'), HASH_BYTES, COST))
}
