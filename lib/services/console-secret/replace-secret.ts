import 'server-only'
import * as z from 'zod'
import type { Database } from '@/lib/server/database/database'
import { StartError } from '@/lib/server/errors/start-error'
import { loadSecrets, type SecretSource } from '@/lib/server/secrets/load-secrets'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { claimSecret, findFingerprint, findMatch, moveFingerprint } from '@/lib/server/session/claim-secret'
import { listLostKeys, replaceKey } from '@/lib/services/agent-command/signing-keys'

export type ReplacementInput = {
  database: Database
  env: SecretSource & { databaseUrl: string | null }
  now: () => Date
}

/** What an admin confirms before it is done; `apply` null: there is nothing to do. */
export type KeyReplacement = { consequences: string[]; apply: (() => Promise<string>) | null }

// SQL: leases end by the clock of the database.
const RUNNING = `
SELECT count(*)::int AS count, ceil(extract(epoch FROM max(until) - clock_timestamp()))::int AS seconds
FROM lease WHERE until > clock_timestamp()`
const runningRow = z.object({ count: z.int(), seconds: z.int().nullable() })

/** A console that runs with the old secret would keep encrypting with it. */
const refuseWhileRunning = async ({ database }: ReplacementInput): Promise<void> => {
  const [running] = await database.query(RUNNING, [], runningRow)
  if (running === undefined || running.count === 0) return
  throw new StartError(
    `A console is running on this database: stop every console first. After a crash, try again in ${running.seconds} s.`,
  )
}

/** Makes the configured secret the one of the database, in place of any other. */
export const planSecretReplacement = async (input: ReplacementInput): Promise<KeyReplacement> => {
  const { database, env, now } = input
  await refuseWhileRunning(input)
  const stored = await findFingerprint(input)
  const secrets = stored === null ? await claimSecret({ ...input, now: now() }) : await loadSecrets(env)
  const from = stored ?? (await findFingerprint(input)) ?? ''
  const match = await findMatch(secrets, from)
  if (match === 0)
    return { consequences: ['The database already belongs to the configured secret.'], apply: null }
  const box = createSecretBox(secrets)
  const lost = await listLostKeys({ database, box })
  const sessions = await database.prisma.session.count({ where: { endedAt: null } })
  const webhooks = await database.prisma.webhook.count()
  return {
    consequences: [
      `The database will belong to the configured secret. Consoles with another secret will refuse to start.`,
      `Sessions that will end: ${sessions}.`,
      `Webhooks whose address and secret must be entered again unless one of the configured secrets decrypts them: ${webhooks}.`,
      `Clouds that will get a new signing key: ${lost.length === 0 ? 'none' : lost.map(({ cloud }) => cloud).join(', ')}. Their hosts refuse commands until they are enrolled again with a join token; their reports continue.`,
    ],
    apply: async () => {
      await moveFingerprint(
        { database, now: now() },
        { from, secret: secrets[0], action: 'console-secret.replace' },
      )
      for (const { cloudId } of lost) await replaceKey({ database, box, now }, cloudId)
      return 'The secret was replaced.'
    },
  }
}
