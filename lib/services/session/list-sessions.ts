import 'server-only'
import type { SessionDto, SessionList } from '@/lib/schemas/api/session'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Session } from '@/lib/server/prisma-client/client'
import { rolesOf, scopeOf } from '@/lib/server/session/account-actor'
import { sessionEnd } from '@/lib/server/session/session-state'
import { listOpenSessions } from '@/lib/server/session/session-store'
import { describeAgent } from './describe-agent'
import { ownSession } from './own-session'
import { noSignIn } from './sign-in-error'

const MOST_SHOWN = 200

const sessionOf = (row: Session, ownId: number): SessionDto => ({
  id: row.id,
  isThisOne: row.id === ownId,
  scope: scopeOf(row),
  role: rolesOf(row.role)[0] ?? null,
  method: row.method,
  address: row.address,
  agent: describeAgent(row.agent),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  expiresAt: new Date(Math.min(row.tokenExpiresAt.getTime(), row.expiresAt.getTime())).toISOString(),
})

/** The person's own sessions in this cloud that hold, the one in use most lately first. */
export const listSessions = async (ctx: ServiceContext): Promise<SessionList> => {
  requirePermission(ctx, 'session.list')
  const { signIn } = ctx
  if (signIn === null) throw noSignIn()
  const own = await ownSession(ctx)
  const now = ctx.now()
  const rows = await listOpenSessions(ctx.database, own, MOST_SHOWN)
  return {
    sessions: rows
      .filter((row) => row.id === own.id || sessionEnd(row, signIn, now) === null)
      .map((row) => sessionOf(row, own.id)),
  }
}
