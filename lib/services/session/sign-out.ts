import 'server-only'
import { writeAudit } from '@/lib/server/audit'
import type { ServiceContext } from '@/lib/server/service-context'
import { endSession } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import { ownSession } from './own-session'
import { revokeTokens } from './revoke-tokens'
import { signInCloud } from './sign-in-cloud'

/** Ends the session that asks, here and at Keystone. */
export const signOut = async (ctx: ServiceContext): Promise<void> => {
  const row = await ownSession(ctx)
  const { signIn, cloud } = signInCloud(ctx, row.cloud)
  const now = ctx.now()
  await ctx.database.transaction(async (query) => {
    if (!(await endSession(query, { id: row.id, reason: 'signed-out', now }))) return
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      action: 'session.end',
      subject: `session:${row.id}`,
      before: { cloud: row.cloud },
      after: { reason: 'signed-out' },
    })
  })
  await revokeTokens(ctx, cloud, [openToken(signIn, row, 'scoped'), openToken(signIn, row, 'unscoped')])
}
