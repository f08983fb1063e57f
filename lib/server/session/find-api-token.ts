import 'server-only'
import * as z from 'zod'
import type { Actor } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { apiTokenHash } from '@/lib/server/secrets/session-secrets'
import type { Query } from '../database/database'
import { accountActor } from './account-actor'

// SQL: every request of a script waits for these statements, for which Prisma's client takes twice as long.
const FIND = `
SELECT id, label, cloud, user_id AS "userId", user_name AS "userName", user_domain AS "userDomain",
  scope_kind AS "scopeKind", project_id AS "projectId", project_name AS "projectName",
  project_domain AS "projectDomain", role, access, expires_at AS "expiresAt", revoked_at AS "revokedAt"
FROM api_token WHERE hash = $1`

const tokenRow = z.object({
  id: z.int(),
  label: z.string(),
  cloud: z.string(),
  userId: z.string(),
  userName: z.string(),
  userDomain: z.string(),
  scopeKind: z.string(),
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  projectDomain: z.string().nullable(),
  role: z.string(),
  access: z.string(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
})

const TOUCH = `
UPDATE api_token SET last_used_at = $2::timestamptz, last_address = $3
WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - INTERVAL '1 minute')`

const refuse = (message: string) => new ServiceError('unauthorized', message)

/** Who a script acts as that sends `Authorization: Bearer sbat_…`. */
export const findApiTokenActor = async (
  query: Query,
  { token, address, now }: { token: string; address: string; now: Date },
): Promise<Actor> => {
  const hash = apiTokenHash(token)
  const [row] = hash === null ? [] : await query(FIND, [hash], tokenRow)
  if (row === undefined) throw refuse('The API token is not known: make one under Settings, API tokens.')
  if (row.revokedAt !== null)
    throw refuse(`The API token "${row.label}" is revoked: make another one under Settings, API tokens.`)
  if (row.expiresAt <= now)
    throw refuse(
      `The API token "${row.label}" expired at ${row.expiresAt.toISOString()}: make another one under Settings, API tokens.`,
    )
  await query(TOUCH, [row.id, now, address])
  return accountActor(row, {
    kind: 'api-token',
    apiTokenId: row.id,
    access: row.access === 'write' ? 'write' : 'read',
  })
}
