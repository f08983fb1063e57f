import 'server-only'
import { randomBytes } from 'node:crypto'
import { hashSecret } from './agent-secrets'

type NewSecret = { secret: string; hash: string }

const SECRET = /^[A-Za-z0-9_-]{43}$/
const API_TOKEN = /^sbat_[A-Za-z0-9_-]{43}$/

const random = (): string => randomBytes(32).toString('base64url')

/** The random id in a session's cookie, and what is stored of it. */
export const newSessionId = (): NewSecret => {
  const secret = random()
  return { secret, hash: hashSecret(secret) }
}

/** Null for what cannot be a session's id. */
export const sessionHash = (cookie: string): string | null =>
  SECRET.test(cookie) ? hashSecret(cookie) : null

/** `sbat_<secret>`; the prefix lets scanners for leaked secrets find it. */
export const newApiToken = (): NewSecret => {
  const secret = `sbat_${random()}`
  return { secret, hash: hashSecret(secret) }
}

export const apiTokenHash = (token: string): string | null =>
  API_TOKEN.test(token) ? hashSecret(token) : null
