import 'server-only'
import type { AccountDto } from '@/lib/schemas/api/session'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Session } from '@/lib/server/prisma-client/client'
import { rolesOf, scopeOf } from '@/lib/server/session/account-actor'
import { findSession } from '@/lib/server/session/session-store'

const signedOut = () => new ServiceError('unauthorized', 'You are not signed in. Sign in to continue.')

export const accountOfSession = (row: Session, now: Date): AccountDto => {
  const [role] = rolesOf(row.role)
  if (role === undefined) throw signedOut()
  const end = Math.min(row.tokenExpiresAt.getTime(), row.expiresAt.getTime())
  return {
    mode: 'keystone',
    user: row.userName,
    domain: row.userDomain,
    cloud: row.cloud,
    scope: scopeOf(row),
    role,
    keystoneRoles: row.keystoneRoles,
    now: now.toISOString(),
    expiresAt: new Date(end).toISOString(),
  }
}

const accountOfActor = (actor: Actor, now: Date): AccountDto => {
  const [role] = actor.kind === 'user' ? actor.roles : []
  if (actor.kind !== 'user' || role === undefined) throw signedOut()
  const account = actor.account
  return {
    mode: account === undefined ? 'local' : 'keystone',
    user: account?.userName ?? actor.name,
    domain: account?.userDomain ?? null,
    cloud: account?.cloud ?? null,
    scope: account?.scope ?? null,
    role,
    keystoneRoles: [],
    now: now.toISOString(),
    expiresAt: null,
  }
}

/** Who asks. Everybody may know that of themselves. */
export const getAccount = async (ctx: ServiceContext): Promise<AccountDto> => {
  const source = ctx.actor.kind === 'user' ? ctx.actor.account?.source : undefined
  if (source?.kind !== 'session') return accountOfActor(ctx.actor, ctx.now())
  const row = await findSession(ctx.database.query, source.sessionHash)
  if (row === undefined) throw signedOut()
  return accountOfSession(row, ctx.now())
}
