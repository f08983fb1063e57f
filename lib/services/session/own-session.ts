import 'server-only'
import type { Session } from '@/lib/server/prisma-client/client'
import { requireSession } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import { findSessionById } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import type { SignIn, SignInCloud } from '@/lib/server/session/sign-in'
import { signInCloud } from './sign-in-cloud'
import { noSignIn } from './sign-in-error'

/** The session that asks. */
export const ownSession = async (ctx: ServiceContext): Promise<Session> => {
  if (ctx.signIn === null) throw noSignIn()
  const row = await findSessionById(ctx.database.query, requireSession(ctx).sessionId)
  if (row !== undefined && row.endedAt === null) return row
  throw new ServiceError('unauthorized', 'This session has ended: sign in again.')
}

/** The session that asks, with its unscoped Keystone token. */
export const ownSessionToken = async (
  ctx: ServiceContext,
): Promise<{ row: Session; signIn: SignIn; cloud: SignInCloud; unscopedId: string }> => {
  const row = await ownSession(ctx)
  const { signIn, cloud } = signInCloud(ctx, row.cloud)
  const unscopedId = openToken(signIn, row, 'unscoped')
  if (unscopedId !== null) return { row, signIn, cloud, unscopedId }
  throw new ServiceError(
    'unauthorized',
    "The console's secret has changed since you signed in: sign in again.",
  )
}
