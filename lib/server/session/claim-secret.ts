import 'server-only'
import { auditEveryCloud } from '@/lib/server/audit/audit'
import { StartError } from '@/lib/server/errors/start-error'
import { loadSecrets, readSecrets, type Secrets, secretFile } from '@/lib/server/secrets/load-secrets'
import { createFingerprint, matchesFingerprint } from '@/lib/server/secrets/secret-fingerprint'
import type { Database } from '../database/database'
import { describeDatabase } from '../database/describe-database'

type Input = {
  database: Database
  env: { databaseUrl: string | null; dataDirectory: string; secret: string | null }
  now: Date
}

export const findFingerprint = async ({ database }: Pick<Input, 'database'>): Promise<string | null> =>
  (await database.prisma.consoleSecret.findFirst())?.fingerprint ?? null

/** False: another console has recorded one in the meantime. */
const record = async ({ database, now }: Input, [newest]: Secrets): Promise<boolean> => {
  const fingerprint = await createFingerprint(newest)
  return database.transaction(async ({ query, prisma }) => {
    // When consoles start concurrently, one inserts; the others wait for its commit and read its row.
    const data = { id: 1, fingerprint, setAt: now }
    if ((await prisma.consoleSecret.createMany({ data, skipDuplicates: true })).count === 0) return false
    await auditEveryCloud(query, {
      at: now,
      actor: { kind: 'system' },
      action: 'console-secret.record',
      subject: 'console-secret',
      before: null,
      after: null,
    })
    return true
  })
}

/** The database belongs to the newest secret from now on. */
export const moveFingerprint = async (
  { database, now }: Pick<Input, 'database' | 'now'>,
  {
    from,
    secret,
    action,
  }: { from: string; secret: string; action: 'console-secret.rotate' | 'console-secret.replace' },
): Promise<void> => {
  const fingerprint = await createFingerprint(secret)
  await database.transaction(async ({ query, prisma }) => {
    const moved = await prisma.consoleSecret.updateMany({
      where: { fingerprint: from },
      data: { fingerprint, setAt: now },
    })
    if (moved.count === 0) return
    await auditEveryCloud(query, {
      at: now,
      actor: { kind: 'system' },
      action,
      subject: 'console-secret',
      before: null,
      after: null,
    })
  })
}

/** Which of the secrets the fingerprint belongs to; null: none of them. */
export const findMatch = async (secrets: readonly string[], fingerprint: string): Promise<number | null> => {
  for (const [index, secret] of secrets.entries())
    if (await matchesFingerprint(secret, fingerprint)) return index
  return null
}

const otherSecret = ({ env }: Pick<Input, 'env'>, isMissing: boolean): StartError => {
  const file = secretFile(env)
  const found =
    env.secret !== null
      ? 'SLICEBOARD_SECRET is not the secret'
      : isMissing
        ? `SLICEBOARD_SECRET is not set and ${file} does not exist, so this console lacks the secret`
        : `${file} does not hold the secret`
  return new StartError(
    `The database ${describeDatabase(env)} was set up with another secret: ${found} of the consoles on this database. Give this console their SLICEBOARD_SECRET. If that secret is lost, stop every console and run "npm run key:replace -- secret", which lists the consequences first.`,
  )
}

/**
 * The secrets of this console, which must be those of the database: its fingerprint belongs to one of them. The first console
 * on a database records its own, and a rotated secret takes the place of the one before.
 */
export const claimSecret = async (input: Input): Promise<Secrets> => {
  const { env } = input
  const stored = await findFingerprint(input)
  // A file that was created now could not be the right one.
  if (stored !== null && (await readSecrets(env)) === null) throw otherSecret(input, true)
  const secrets = await loadSecrets(env)
  if (stored === null && (await record(input, secrets))) return secrets
  const fingerprint = stored ?? (await findFingerprint(input)) ?? ''
  const match = await findMatch(secrets, fingerprint)
  if (match === null) throw otherSecret(input, false)
  if (match > 0)
    await moveFingerprint(input, { from: fingerprint, secret: secrets[0], action: 'console-secret.rotate' })
  return secrets
}
