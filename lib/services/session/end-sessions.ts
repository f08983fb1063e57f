import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Session } from '@/lib/server/prisma-client/client'
import { endSession, listOpenSessions } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import { ownSession } from './own-session'
import { revokeTokens } from './revoke-tokens'
import { signInCloud } from './sign-in-cloud'

const endOne = async (
  ctx: ServiceContext,
  connection: Connection,
  row: Session,
  own: Session,
): Promise<void> => {
  const now = ctx.now()
  const reason = row.id === own.id ? 'signed-out' : 'ended-elsewhere'
  if (!(await endSession(connection, { id: row.id, reason, now }))) return
  await writeAudit(connection.query, {
    at: now,
    actor: ctx.actor,
    cloud: row.cloud,
    action: 'session.end',
    subject: `session:${row.id}`,
    before: { cloud: row.cloud },
    after: { reason },
  })
}

/** Ends sessions of the person here and at Keystone, each with its entry in the audit. */
export const endAll = async (ctx: ServiceContext, rows: readonly Session[], own: Session): Promise<void> => {
  const { signIn, cloud } = signInCloud(ctx, own.cloud)
  await ctx.database.transaction(async (connection) => {
    for (const row of rows) await endOne(ctx, connection, row, own)
  })
  const alive = rows.filter(({ tokenExpiresAt }) => tokenExpiresAt > ctx.now())
  const tokens = alive.flatMap((row) => [
    openToken(signIn, row, 'scoped'),
    openToken(signIn, row, 'unscoped'),
  ])
  await revokeTokens(ctx, cloud, tokens)
}

/** Signs the person out everywhere, or everywhere else. */
export const endSessions = async (
  ctx: ServiceContext,
  { which }: { which: 'all' | 'others' },
): Promise<void> => {
  requirePermission(ctx, 'session.end')
  const own = await ownSession(ctx)
  const rows = await listOpenSessions(ctx.database, own)
  await endAll(ctx, which === 'all' ? rows : rows.filter(({ id }) => id !== own.id), own)
}

/** Ends one of the person's sessions. A session of another person counts as not found. */
export const endSessionById = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'session.end')
  const own = await ownSession(ctx)
  const rows = await listOpenSessions(ctx.database, own)
  const row = rows.find((one) => one.id === id)
  if (row === undefined)
    throw new ServiceError('not_found', `You have no session ${id}. Reload the list.`, { field: 'id' })
  await endAll(ctx, [row], own)
}
