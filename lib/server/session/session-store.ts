import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Role } from '@/lib/domain/access/permissions'
import type { AccountScope } from '@/lib/server/context/service-context'
import type { Query } from '../database/database'
import type { Session } from '../prisma-client/client'
import type { StoredEnd } from './session-state'

const COLUMNS = `
id, hash, cloud, user_id AS "userId", user_name AS "userName", user_domain AS "userDomain",
user_domain_id AS "userDomainId", method,
scope_kind AS "scopeKind", project_id AS "projectId", project_name AS "projectName",
project_domain AS "projectDomain", role, keystone_roles AS "keystoneRoles", unscoped_token AS "unscopedToken",
scoped_token AS "scopedToken", token_expires_at AS "tokenExpiresAt", checked_at AS "checkedAt", address, agent,
created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", ended_at AS "endedAt",
end_reason AS "endReason"`

const FIND = `SELECT ${COLUMNS} FROM session WHERE hash = $1`
const FIND_BY_ID = `SELECT ${COLUMNS} FROM session WHERE id = $1`
const LIST = `
SELECT ${COLUMNS} FROM session
WHERE cloud = $1 AND user_id = $2 AND ended_at IS NULL ORDER BY last_used_at DESC, id DESC LIMIT $3`

/** At most so often is a use written down. */
const TOUCH_PAUSE_MS = 60_000
/** Rows stay so long after their end, to tell the browser why. */
const KEPT_AFTER_END_MS = 7 * 24 * 3600_000

export const findSession = async (query: Query, hash: string): Promise<Session | undefined> =>
  (await query(FIND, [hash], uncheckedRow<Session>()))[0]

export const findSessionById = async (query: Query, id: number): Promise<Session | undefined> =>
  (await query(FIND_BY_ID, [id], uncheckedRow<Session>()))[0]

/** Those that nobody ended, the last used first; the clock may have. All of them without `most`. */
export const listOpenSessions = (
  query: Query,
  { cloud, userId }: { cloud: string; userId: string },
  most: number | null = null,
): Promise<Session[]> => query(LIST, [cloud, userId, most], uncheckedRow<Session>())

export type NewSession = Pick<
  Session,
  | 'hash'
  | 'cloud'
  | 'userId'
  | 'userName'
  | 'userDomain'
  | 'userDomainId'
  | 'method'
  | 'unscopedToken'
  | 'tokenExpiresAt'
  | 'address'
  | 'agent'
  | 'expiresAt'
> & { now: Date }

const INSERT = `
INSERT INTO session (hash, cloud, user_id, user_name, user_domain, user_domain_id, method, keystone_roles,
  unscoped_token, token_expires_at, address, agent, expires_at, checked_at, created_at, last_used_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9::timestamptz, $10, $11, $12::timestamptz, $13::timestamptz,
  $13::timestamptz, $13::timestamptz)
RETURNING id`

export const insertSession = async (query: Query, row: NewSession): Promise<number> => {
  const [created] = await query(
    INSERT,
    [
      row.hash,
      row.cloud,
      row.userId,
      row.userName,
      row.userDomain,
      row.userDomainId,
      row.method,
      row.unscopedToken,
      row.tokenExpiresAt,
      row.address,
      row.agent,
      row.expiresAt,
      row.now,
    ],
    uncheckedRow<{ id: number }>(),
  )
  if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
  await query('DELETE FROM session WHERE COALESCE(ended_at, expires_at) < $1::timestamptz', [
    new Date(row.now.getTime() - KEPT_AFTER_END_MS),
  ])
  return created.id
}

const SET_SCOPE = `
UPDATE session SET scope_kind = $2, project_id = $3, project_name = $4, project_domain = $5, role = $6,
  keystone_roles = $7, scoped_token = $8, token_expires_at = $9::timestamptz, checked_at = $10::timestamptz,
  hash = $11, unscoped_token = $12
WHERE id = $1 AND hash = $13 AND ended_at IS NULL RETURNING id`

/** Another role comes with another `hash`. False when the session ended, or took another one, meanwhile. */
export const setSessionScope = async (
  query: Query,
  row: {
    id: number
    scope: AccountScope
    role: Role
    keystoneRoles: string[]
    hash: string
    scopedToken: string
    unscopedToken: string
    tokenExpiresAt: Date
    now: Date
    /** What it is found by so far. */
    oldHash: string
  },
): Promise<boolean> => {
  const project = row.scope.kind === 'project' ? row.scope : null
  const updated = await query(SET_SCOPE, [
    row.id,
    row.scope.kind,
    project?.id ?? null,
    project?.name ?? null,
    project?.domain ?? null,
    row.role,
    row.keystoneRoles,
    row.scopedToken,
    row.tokenExpiresAt,
    row.now,
    row.hash,
    row.unscopedToken,
    row.oldHash,
  ])
  return updated.length > 0
}

/**
 * Ends a session and forgets its Keystone tokens; false when it had ended already, or with a `hash` when it has another one
 * by now.
 */
export const endSession = async (
  query: Query,
  { id, hash = null, reason, now }: { id: number; hash?: string | null; reason: StoredEnd; now: Date },
): Promise<boolean> => {
  const ended = await query(
    `UPDATE session SET ended_at = $2::timestamptz, end_reason = $3, unscoped_token = NULL, scoped_token = NULL
     WHERE id = $1 AND ended_at IS NULL AND ($4::text IS NULL OR hash = $4) RETURNING id`,
    [id, now, reason, hash],
  )
  return ended.length > 0
}

/** Writes down that a person uses it, unless that was written a moment ago. */
export const touchSession = async (query: Query, row: Session, now: Date): Promise<void> => {
  if (now.getTime() - row.lastUsedAt.getTime() < TOUCH_PAUSE_MS) return
  await query('UPDATE session SET last_used_at = $2::timestamptz WHERE id = $1 AND last_used_at < $2', [
    row.id,
    now,
  ])
}
