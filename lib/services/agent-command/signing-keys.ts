import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Database, Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { SecretBox } from '@/lib/server/secrets/secret-box'

/** `publicKey`: base64url of its 32 bytes. `sealed`: as stored, so that a key that was replaced is recognized. */
export type SigningKey = { sealed: string; publicKey: string; privateKey: KeyObject }

type Input = { database: Pick<Database, 'query' | 'transaction'>; box: SecretBox; now: () => Date }

const FIND = 'SELECT sealed_key AS "sealedKey" FROM command_key WHERE cloud_id = $1'

// Of two consoles that create the first key at once, both use the one that was stored first.
const CREATE = `
INSERT INTO command_key (cloud_id, public_key, sealed_key, created_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT (cloud_id) DO NOTHING RETURNING cloud_id`

const REPLACE = `
INSERT INTO command_key (cloud_id, public_key, sealed_key, created_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT (cloud_id) DO UPDATE SET public_key = excluded.public_key, sealed_key = excluded.sealed_key,
  created_at = excluded.created_at RETURNING cloud_id`

const LIST = `
SELECT k.cloud_id AS "cloudId", c.name AS cloud, k.sealed_key AS "sealedKey"
FROM command_key k JOIN cloud c ON c.id = k.cloud_id ORDER BY c.name`

const RESEAL = 'UPDATE command_key SET sealed_key = $3 WHERE cloud_id = $1 AND sealed_key = $2'

const purposeOf = (cloudId: number): string => `command-key:${cloudId}`

const readKey = (pem: string, sealed: string): SigningKey => {
  const privateKey = createPrivateKey(pem)
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('the signing key is not an Ed25519 key')
  return { sealed, publicKey: x, privateKey }
}

const generateKey = ({ box }: Pick<Input, 'box'>, cloudId: number): SigningKey => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return readKey(pem, box.seal(pem, purposeOf(cloudId)))
}

const storeKey = async (
  query: Query,
  {
    cloudId,
    key,
    at,
    sql,
    action,
  }: { cloudId: number; key: SigningKey; at: Date; sql: string; action: AuditAction },
): Promise<boolean> => {
  const stored = await query(sql, [cloudId, key.publicKey, key.sealed, at])
  if (stored.length === 0) return false
  await writeAudit(query, {
    at,
    actor: { kind: 'system' },
    cloud: { id: cloudId },
    action,
    subject: `cloud:${cloudId}`,
    before: null,
    after: { publicKey: key.publicKey },
  })
  return true
}

export const findSealedKey = async (
  { database }: Pick<Input, 'database'>,
  cloudId: number,
): Promise<string | null> =>
  (await database.query(FIND, [cloudId], uncheckedRow<{ sealedKey: string }>()))[0]?.sealedKey ?? null

const cannotOpen = (): ServiceError =>
  new ServiceError(
    'precondition',
    'The signing key of this cloud cannot be decrypted with SLICEBOARD_SECRET, so hosts receive no commands. Restore the earlier secret, or run "npm run key:replace -- signing-key" and enroll the hosts again.',
  )

/** The cloud's key from its stored form. A key that the secret does not open is never replaced here. */
export const openKey = ({ box }: Pick<Input, 'box'>, cloudId: number, sealed: string): SigningKey => {
  const pem = box.open(sealed, purposeOf(cloudId))
  if (pem === null) throw cannotOpen()
  return readKey(pem, sealed)
}

/** The first key of a cloud; null: another console has created it in the meantime. */
export const createKey = async (input: Input, cloudId: number): Promise<SigningKey | null> => {
  const key = generateKey(input, cloudId)
  const at = input.now()
  const isStored = await input.database.transaction(({ query }) =>
    storeKey(query, { cloudId, key, at, sql: CREATE, action: 'command-key.create' }),
  )
  return isStored ? key : null
}

/** Gives a cloud another key. Its agents refuse commands until they are enrolled again. */
export const replaceKey = async (input: Input, cloudId: number): Promise<void> => {
  const key = generateKey(input, cloudId)
  const at = input.now()
  await input.database.transaction(({ query }) =>
    storeKey(query, { cloudId, key, at, sql: REPLACE, action: 'command-key.replace' }),
  )
}

type StoredKey = { cloudId: number; cloud: string; sealedKey: string }

/** The keys that none of the console's secrets opens. */
export const listLostKeys = async ({
  database,
  box,
}: Pick<Input, 'database' | 'box'>): Promise<StoredKey[]> =>
  (await database.query(LIST, [], uncheckedRow<StoredKey>())).filter(
    ({ cloudId, sealedKey }) => box.open(sealedKey, purposeOf(cloudId)) === null,
  )

/** `v1.<key id>.…` */
const keyIdOf = (sealed: string): string | undefined => sealed.split('.')[1]

/** Encrypts with the newest secret what an older one encrypted, so that the older one can be removed from the settings. */
export const resealKeys = async ({ database, box }: Pick<Input, 'database' | 'box'>): Promise<void> => {
  const newest = keyIdOf(box.seal('', 'which key'))
  for (const { cloudId, sealedKey } of await database.query(LIST, [], uncheckedRow<StoredKey>())) {
    const pem = keyIdOf(sealedKey) === newest ? null : box.open(sealedKey, purposeOf(cloudId))
    if (pem !== null) await database.query(RESEAL, [cloudId, sealedKey, box.seal(pem, purposeOf(cloudId))])
  }
}
