import 'server-only'
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as 43 characters. */
const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret. It has 256 random bits, so a plain hash cannot be turned back. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

export const isSecretOf = (secret: string, storedHash: string): boolean => {
  const stored = Buffer.from(storedHash, 'latin1')
  const given = Buffer.from(hashSecret(secret), 'latin1')
  return stored.length === given.length && timingSafeEqual(stored, given)
}

/** `sbjt_<secret>`: found by the hash of its secret. */
export const newJoinToken = (): { token: string; hash: string } => {
  const secret = newSecret()
  return { token: `sbjt_${secret}`, hash: hashSecret(secret) }
}

export const readJoinToken = (token: string): string | null =>
  /^sbjt_([A-Za-z0-9_-]{43})$/.exec(token)?.[1] ?? null

export const newCredentialSecret = (): { secret: string; hash: string } => {
  const secret = newSecret()
  return { secret, hash: hashSecret(secret) }
}

/** `sbac_<id>_<secret>`. */
export const formatCredential = (id: number, secret: string): string => `sbac_${id}_${secret}`

const LARGEST_ID = 2_147_483_647

export const readCredential = (text: string): { id: number; secret: string } | null => {
  const match = /^sbac_([1-9][0-9]{0,9})_([A-Za-z0-9_-]{43})$/.exec(text)
  const id = Number(match?.[1])
  return match?.[2] !== undefined && id <= LARGEST_ID ? { id, secret: match[2] } : null
}
