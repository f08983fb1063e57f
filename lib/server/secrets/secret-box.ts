import 'server-only'
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** `id` identifies a key without revealing it. */
type SecretKey = { id: string; key: Buffer }

export type SecretBox = {
  /** `purpose` binds the result to its place: it opens for the same purpose only. */
  seal: (secret: string, purpose: string) => string
  /** Null when none of the keys opens it: sealed by a key that is gone, altered, or of another purpose. */
  open: (sealed: string, purpose: string) => string | null
}

const keyOf = (secret: string): SecretKey => {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, 'sliceboard', info, 32))
  return {
    id: createHash('sha256').update(derive('key id')).digest('hex').slice(0, 12),
    key: derive('session tokens'),
  }
}

const openWith = ({ key }: SecretKey, bytes: Buffer, purpose: string): string | null => {
  if (bytes.length < IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    // Its tag does not fit: node gives no other reason.
    return null
  }
}

/**
 * Seals with AES-256-GCM as `v1.<key id>.<base64url of nonce, tag and text>`. The first secret seals, all of them open:
 * to rotate, put a new one in front and take the old one away a session's lifetime later.
 */
export const createSecretBox = (secrets: readonly [string, ...string[]]): SecretBox => {
  const keys = secrets.map(keyOf)
  const current = keyOf(secrets[0])
  return {
    seal: (secret, purpose) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return [VERSION, current.id, Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')].join(
        '.',
      )
    },
    open: (sealed, purpose) => {
      const [version, id, body, ...rest] = sealed.split('.')
      const key = keys.find((one) => one.id === id)
      if (version !== VERSION || key === undefined || body === undefined || rest.length > 0) return null
      return openWith(key, Buffer.from(body, 'base64url'), purpose)
    },
  }
}
