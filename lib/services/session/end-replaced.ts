import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findSignInCloud } from '@/lib/server/context/sign-in'
import { sessionHash } from '@/lib/server/secrets/session-secrets'
import { sessionActor } from '@/lib/server/session/account-actor'
import { findSession } from '@/lib/server/session/session-store'
import { endAll } from './end-sessions'

/** Ends the session that a browser had when somebody signed in with it anew: nobody would sign out of it any more. */
export const endReplaced = async (ctx: ServiceContext, cookie: string | null): Promise<void> => {
  const hash = cookie === null ? null : sessionHash(cookie)
  const row = hash === null ? undefined : await findSession(ctx.database.query, hash)
  if (row === undefined || row.endedAt !== null || ctx.signIn === null) return
  if (findSignInCloud(ctx.signIn, row.cloud) === undefined) return
  await endAll({ ...ctx, actor: sessionActor(row) }, [row], row)
}
