import 'server-only'
import * as z from 'zod'
import { consoleRoleOf, isLesserRole } from '@/lib/domain/access/console-roles'
import type { Token } from '@/lib/openstack/keystone/types'
import type { SessionEndReason } from '@/lib/schemas/states'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Runtime } from '@/lib/server/context/runtime'
import { type Actor, LOCAL_ADMIN } from '@/lib/server/context/service-context'
import { findSignInCloud, type SignIn } from '@/lib/server/context/sign-in'
import { ServiceError } from '@/lib/server/errors/service-error'
import { apiTokenHash, sessionHash } from '@/lib/server/secrets/session-secrets'
import type { Query } from '../database/database'
import type { Session } from '../prisma-client/client'
import { accountActor, actorName, rolesOf, sessionActor } from './account-actor'
import type { RequestFacts } from './request-facts'
import { readSessionCookie } from './session-cookie'
import { sessionEndSentence } from './session-end-sentence'
import { type SessionEnd, sessionEnd } from './session-state'
import { endSession, findSession, touchSession } from './session-store'
import { openToken } from './session-tokens'

/**
 * How often a session's token is validated with Keystone: a user may have been disabled, or lost a role, in the meantime.
 */
const CHECK_PAUSE_MS = 5 * 60_000

const end = (runtime: Runtime, row: Session, reason: SessionEndReason): Promise<void> =>
  runtime.database.transaction(async ({ query, prisma }) => {
    const now = runtime.now()
    // With another role the session has new tokens, and the previous ones were revoked, so their validation does not
    // concern it.
    if (!(await endSession({ prisma }, { id: row.id, hash: row.hash, reason, now }))) return
    await writeAudit(query, {
      at: now,
      actor: { kind: 'system' },
      cloud: row.cloud,
      action: 'session.end',
      subject: `session:${row.id}`,
      before: { cloud: row.cloud, user: actorName(row) },
      after: { reason },
    })
  })

/**
 * Keystone returns the current roles with each validation; a user with additional roles gets them by choosing a project
 * or the system again.
 */
const hasLostRole = ({ roleNames }: SignIn, row: Session, { scope, roles }: Token): boolean => {
  if (scope.kind !== 'project' && scope.kind !== 'system') return false
  const role = consoleRoleOf({ scope: scope.kind, roles: roles.map(({ name }) => name), names: roleNames })
  return isLesserRole(role, rolesOf(row.role)[0] ?? null)
}

const check = async (runtime: Runtime, signIn: SignIn, row: Session): Promise<void> => {
  const claimed = await runtime.database.prisma.session.updateMany({
    where: { id: row.id, checkedAt: row.checkedAt, hash: row.hash, endedAt: null },
    data: { checkedAt: runtime.now() },
  })
  const keystone = findSignInCloud(signIn, row.cloud)?.keystone
  if (claimed.count === 0 || keystone === undefined) return
  const tokenId = openToken(signIn, row, row.scopedToken === null ? 'unscoped' : 'scoped')
  if (tokenId === null) return end(runtime, row, 'secret-changed')
  const token = await keystone.validate({ tokenId })
  if (token === null || hasLostRole(signIn, row, token)) await end(runtime, row, 'refused')
}

/** Looks after a session in use, without making its request wait. Keystone that does not answer ends nothing. */
const watchSession = (runtime: Runtime, signIn: SignIn, row: Session): void => {
  if (runtime.now().getTime() - row.checkedAt.getTime() < CHECK_PAUSE_MS) return
  check(runtime, signIn, row).catch((err: unknown) => {
    runtime.log.warn({ err, sessionId: row.id }, 'A session could not be checked with Keystone')
  })
}

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
const findApiTokenActor = async (
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

export type Caller =
  /** `choosing`: signed in, but no project and not the system chosen yet. */
  { state: 'known' | 'choosing'; actor: Actor } | { state: 'unknown'; end: SessionEnd | null }

const bearerOf = (authorization: string | null): string | null =>
  /^Bearer +(\S{1,512})$/i.exec(authorization ?? '')?.[1] ?? null

/**
 * The caller of a request: an API token takes precedence over a cookie. An invalid API token is an error; a missing or
 * ended session is a result. A caller above the request limit of an account gets the error `limit`.
 */
export const findCaller = async (runtime: Runtime, facts: RequestFacts): Promise<Caller> => {
  const { signIn, database } = runtime
  if (signIn === null) return { state: 'known', actor: LOCAL_ADMIN }
  const now = runtime.now()
  const token = bearerOf(facts.authorization)
  if (token !== null) {
    const actor = await findApiTokenActor(database.query, { token, address: facts.address, now })
    signIn.requests.count(actor)
    return { state: 'known', actor }
  }
  const cookie = readSessionCookie(runtime.env, facts.cookie)
  const hash = cookie === null ? null : sessionHash(cookie)
  const row = hash === null ? undefined : await findSession(database.query, hash)
  if (row === undefined) return { state: 'unknown', end: null }
  const end = sessionEnd(row, signIn, now)
  if (end !== null) return { state: 'unknown', end }
  const actor = sessionActor(row)
  signIn.requests.count(actor)
  if (!facts.isBackground) await touchSession(database, row, now)
  watchSession(runtime, signIn, row)
  return { state: row.scopeKind === null ? 'choosing' : 'known', actor }
}

/** A person who has signed in, with or without a chosen scope. Throws `unauthorized` with the reason. */
export const requireSignedIn = async (runtime: Runtime, facts: RequestFacts): Promise<Actor> => {
  const caller = await findCaller(runtime, facts)
  if (caller.state !== 'unknown') return caller.actor
  throw new ServiceError('unauthorized', `${sessionEndSentence(caller.end)} Sign in to continue.`)
}

/** The actor of a request to an admin page: a person with a role. Throws `unauthorized` with the reason. */
export const requireActor = async (runtime: Runtime, facts: RequestFacts): Promise<Actor> => {
  const actor = await requireSignedIn(runtime, facts)
  if (actor.kind !== 'user' || actor.roles.length > 0) return actor
  throw new ServiceError('unauthorized', 'Select a project or the system to continue.')
}
