import 'server-only'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Connection, Database } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { SecretBox } from '@/lib/server/secrets/secret-box'

/** `publicKey`: base64url of its 32 bytes. `sealed`: as stored, so that a key that was replaced is recognized. */
export type SigningKey = { sealed: string; publicKey: string; privateKey: KeyObject }

type Input = { database: Pick<Database, 'prisma' | 'transaction'>; box: SecretBox; now: () => Date }

const purposeOf = (cloudId: number): string => `command-key:${cloudId}`

const readKey = (pem: string, sealed: string): SigningKey => {
  const privateKey = createPrivateKey(pem)
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('the signing key is not an Ed25519 key')
  return { sealed, publicKey: x, privateKey }
}

const storedForm = ({ publicKey, sealed }: SigningKey) => ({ publicKey, sealedKey: sealed })

const generateKey = ({ box }: Pick<Input, 'box'>, cloudId: number): SigningKey => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return readKey(pem, box.seal(pem, purposeOf(cloudId)))
}

const auditKey = (
  { query }: Connection,
  { cloudId, key, at, action }: { cloudId: number; key: SigningKey; at: Date; action: AuditAction },
): Promise<void> =>
  writeAudit(query, {
    at,
    actor: { kind: 'system' },
    cloud: { id: cloudId },
    action,
    subject: `cloud:${cloudId}`,
    before: null,
    after: { publicKey: key.publicKey },
  })

export const findSealedKey = async (
  { database }: Pick<Input, 'database'>,
  cloudId: number,
): Promise<string | null> =>
  (await database.prisma.commandKey.findUnique({ where: { cloudId } }))?.sealedKey ?? null

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
  return input.database.transaction(async (connection) => {
    // When two consoles create the first key concurrently, both use the one that was stored first.
    const { count } = await connection.prisma.commandKey.createMany({
      data: { cloudId, ...storedForm(key), createdAt: at },
      skipDuplicates: true,
    })
    if (count === 0) return null
    await auditKey(connection, { cloudId, key, at, action: 'command-key.create' })
    return key
  })
}

/** Gives a cloud another key. Its agents refuse commands until they are enrolled again. */
export const replaceKey = async (input: Input, cloudId: number): Promise<void> => {
  const key = generateKey(input, cloudId)
  const at = input.now()
  const stored = { ...storedForm(key), createdAt: at }
  await input.database.transaction(async (connection) => {
    await connection.prisma.commandKey.upsert({
      where: { cloudId },
      create: { cloudId, ...stored },
      update: stored,
    })
    await auditKey(connection, { cloudId, key, at, action: 'command-key.replace' })
  })
}

/** The keys that none of the console's secrets opens. */
export const listLostKeys = async ({
  database,
  box,
}: Pick<Input, 'database' | 'box'>): Promise<{ cloudId: number; cloud: string }[]> => {
  const keys = await database.prisma.commandKey.findMany({
    select: { cloudId: true, sealedKey: true, cloud: { select: { name: true } } },
    orderBy: { cloud: { name: 'asc' } },
  })
  return keys
    .filter(({ cloudId, sealedKey }) => box.open(sealedKey, purposeOf(cloudId)) === null)
    .map(({ cloudId, cloud }) => ({ cloudId, cloud: cloud.name }))
}

/** `v1.<key id>.…` */
const keyIdOf = (sealed: string): string | undefined => sealed.split('.')[1]

/** Encrypts with the newest secret what an older one encrypted, so that the older one can be removed from the settings. */
export const resealKeys = async ({ database, box }: Pick<Input, 'database' | 'box'>): Promise<void> => {
  const newest = keyIdOf(box.seal('', 'which key'))
  for (const { cloudId, sealedKey } of await database.prisma.commandKey.findMany()) {
    const pem = keyIdOf(sealedKey) === newest ? null : box.open(sealedKey, purposeOf(cloudId))
    if (pem === null) continue
    // Not a key that was replaced in the meantime.
    await database.prisma.commandKey.updateMany({
      where: { cloudId, sealedKey },
      data: { sealedKey: box.seal(pem, purposeOf(cloudId)) },
    })
  }
}
