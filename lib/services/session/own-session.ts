import 'server-only'
import { requireSession } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { SignIn, SignInCloud } from '@/lib/server/context/sign-in'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Session } from '@/lib/server/prisma-client/client'
import { findSessionById } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import { signInCloud } from './sign-in-cloud'
import { noSignIn } from './sign-in-error'

/** The caller's session, to be ended or listed, with any current role. */
export const ownSession = async (ctx: ServiceContext): Promise<Session> => {
  if (ctx.signIn === null) throw noSignIn()
  const row = await findSessionById(ctx.database, requireSession(ctx).sessionId)
  if (row !== null && row.endedAt === null) return row
  throw new ServiceError('unauthorized', 'This session has ended: sign in again.')
}

/** The request's session got another cookie, or ended, since the request was let in. */
export const takenConcurrently = (): ServiceError =>
  new ServiceError('unauthorized', 'This session ended at the same moment: sign in again.')

/** The session that asks, as the request's own cookie opens it, and no later one. */
const openSession = async (
  ctx: ServiceContext,
): Promise<{ row: Session; signIn: SignIn; cloud: SignInCloud }> => {
  const row = await ownSession(ctx)
  if (row.hash !== requireSession(ctx).sessionHash) throw takenConcurrently()
  return { row, ...signInCloud(ctx, row.cloud) }
}

const otherSecret = (): ServiceError =>
  new ServiceError('unauthorized', "The console's secret has changed since you signed in: sign in again.")

/** The session that asks, with its unscoped Keystone token. */
export const ownSessionToken = async (
  ctx: ServiceContext,
): Promise<{ row: Session; signIn: SignIn; cloud: SignInCloud; unscopedId: string }> => {
  const session = await openSession(ctx)
  const unscopedId = openToken(session.signIn, session.row, 'unscoped')
  if (unscopedId === null) throw otherSecret()
  return { ...session, unscopedId }
}

/** The Keystone token of the session that asks, for the project that the person has chosen. */
export const ownProjectToken = async (ctx: ServiceContext, projectId: string): Promise<string> => {
  const { row, signIn } = await openSession(ctx)
  if (row.scopeKind !== 'project' || row.projectId !== projectId) throw takenConcurrently()
  const tokenId = openToken(signIn, row, 'scoped')
  if (tokenId === null) throw otherSecret()
  return tokenId
}
