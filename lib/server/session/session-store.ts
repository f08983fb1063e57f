import 'server-only'
import * as z from 'zod'
import type { Role } from '@/lib/schemas/roles'
import type { SessionEndReason } from '@/lib/schemas/states'
import type { AccountScope } from '@/lib/server/context/service-context'
import type { PrismaConnection, Query } from '../database/database'
import type { Session } from '../prisma-client/client'

/** At most so often is a use written down. */
const TOUCH_PAUSE_MS = 60_000
/** Rows stay for this time after their end, so that the browser gets the reason. */
const RETAINED_AFTER_END_MS = 7 * 24 * 3600_000

// SQL: every request waits for this statement, for which Prisma's client takes twice as long.
const FIND = `
SELECT id, hash, cloud, user_id AS "userId", user_name AS "userName", user_domain AS "userDomain",
  user_domain_id AS "userDomainId", method, scope_kind AS "scopeKind", project_id AS "projectId",
  project_name AS "projectName", project_domain AS "projectDomain", role, keystone_roles AS "keystoneRoles",
  unscoped_token AS "unscopedToken", scoped_token AS "scopedToken", token_expires_at AS "tokenExpiresAt",
  checked_at AS "checkedAt", address, agent, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", ended_at AS "endedAt", end_reason AS "endReason"
FROM session WHERE hash = $1`

const text = z.string().nullable()

const sessionRow = z.object({
  id: z.int(),
  hash: z.string(),
  cloud: z.string(),
  userId: z.string(),
  userName: z.string(),
  userDomain: z.string(),
  userDomainId: z.string(),
  method: z.string(),
  address: z.string(),
  agent: text,
  scopeKind: text,
  projectId: text,
  projectName: text,
  projectDomain: text,
  role: text,
  keystoneRoles: z.array(z.string()),
  unscopedToken: text,
  scopedToken: text,
  tokenExpiresAt: z.date(),
  checkedAt: z.date(),
  createdAt: z.date(),
  lastUsedAt: z.date(),
  expiresAt: z.date(),
  endedAt: z.date().nullable(),
  endReason: text,
})

export const findSession = async (query: Query, hash: string): Promise<Session | undefined> =>
  (await query(FIND, [hash], sessionRow))[0]

export const findSessionById = ({ prisma }: PrismaConnection, id: number): Promise<Session | null> =>
  prisma.session.findUnique({ where: { id } })

/** Those that no person ended, the last used first; the clock may have. All of them without `limit`. */
export const listOpenSessions = (
  { prisma }: PrismaConnection,
  { cloud, userId }: { cloud: string; userId: string },
  limit?: number,
): Promise<Session[]> =>
  prisma.session.findMany({
    where: { cloud, userId, endedAt: null },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
    ...(limit === undefined ? {} : { take: limit }),
  })

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
>

export const insertSession = async (
  { prisma }: PrismaConnection,
  { now, ...row }: NewSession & { now: Date },
): Promise<number> => {
  const { id } = await prisma.session.create({
    data: { ...row, keystoneRoles: [], checkedAt: now, createdAt: now, lastUsedAt: now },
    select: { id: true },
  })
  const retainedSince = { lt: new Date(now.getTime() - RETAINED_AFTER_END_MS) }
  await prisma.session.deleteMany({
    where: { OR: [{ endedAt: retainedSince }, { endedAt: null, expiresAt: retainedSince }] },
  })
  return id
}

/** Another role comes with another `hash`. False when the session ended, or took another one, in the meantime. */
export const setSessionScope = async (
  { prisma }: PrismaConnection,
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
  const { scope, role, keystoneRoles, hash, scopedToken, unscopedToken, tokenExpiresAt } = row
  const project = scope.kind === 'project' ? scope : null
  const { count } = await prisma.session.updateMany({
    where: { id: row.id, hash: row.oldHash, endedAt: null },
    data: {
      role,
      keystoneRoles,
      hash,
      scopedToken,
      unscopedToken,
      tokenExpiresAt,
      scopeKind: scope.kind,
      projectId: project?.id ?? null,
      projectName: project?.name ?? null,
      projectDomain: project?.domain ?? null,
      checkedAt: row.now,
    },
  })
  return count > 0
}

/** Ends a session and deletes its Keystone tokens; false when it had ended already, or no longer has this `hash`. */
export const endSession = async (
  { prisma }: PrismaConnection,
  { id, hash, reason, now }: { id: number; hash?: string; reason: SessionEndReason; now: Date },
): Promise<boolean> => {
  const { count } = await prisma.session.updateMany({
    where: { id, endedAt: null, ...(hash === undefined ? {} : { hash }) },
    data: { endedAt: now, endReason: reason, unscopedToken: null, scopedToken: null },
  })
  return count > 0
}

/** Writes down that a person uses it, unless that was written a moment ago. */
export const touchSession = async ({ prisma }: PrismaConnection, row: Session, now: Date): Promise<void> => {
  if (now.getTime() - row.lastUsedAt.getTime() < TOUCH_PAUSE_MS) return
  await prisma.session.updateMany({
    where: { id: row.id, lastUsedAt: { lt: now } },
    data: { lastUsedAt: now },
  })
}
