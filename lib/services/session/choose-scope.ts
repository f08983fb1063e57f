import 'server-only'
import { type AccountDto, chooseScopeSchema } from '@/lib/schemas/api/session'
import { writeAudit } from '@/lib/server/audit'
import { parseInput } from '@/lib/server/parse-input'
import { requireSession } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import { scopeOf, sessionActor } from '@/lib/server/session/account-actor'
import { newSessionId } from '@/lib/server/session/secrets'
import { findSessionById, setSessionScope } from '@/lib/server/session/session-store'
import { openToken, sealToken } from '@/lib/server/session/session-tokens'
import { accountOfSession } from './get-account'
import { ownSessionToken } from './own-session'
import { revokeTokens } from './revoke-tokens'
import { takeScope } from './take-scope'

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

const takenMeanwhile = (): ServiceError =>
  new ServiceError('unauthorized', 'This session ended at the same moment: sign in again.')

/**
 * Takes up another project or the system in the session that asks; the roles there decide what it may do from now on. The
 * session gets another `id` for the cookie, so that what was known of it before opens nothing of its new role.
 */
export const chooseScope = async (
  ctx: ServiceContext,
  { body }: { body: unknown },
): Promise<{ id: string; account: AccountDto }> => {
  const choice = parseInput(chooseScopeSchema, body)
  const { row, signIn, cloud, unscopedId } = await ownSessionToken(ctx)
  // The row may have got another hash since the cookie was read: what was known of it before opens nothing any more.
  if (row.hash !== requireSession(ctx).sessionHash) throw takenMeanwhile()
  const taken = await takeScope({ signIn, cloud, unscopedId, choice })
  const now = ctx.now()
  const { secret, hash } = newSessionId()
  const before = { scope: scopeOf(row), role: row.role }
  const after = await ctx.database.transaction(async (query) => {
    const scopedToken = sealToken(signIn, { hash, kind: 'scoped', tokenId: taken.tokenId })
    const unscopedToken = sealToken(signIn, { hash, kind: 'unscoped', tokenId: unscopedId })
    const sealed = { hash, oldHash: row.hash, scopedToken, unscopedToken }
    if (!(await setSessionScope(query, { id: row.id, ...taken, ...sealed, now }))) throw takenMeanwhile()
    if (!isSame(before.scope, taken.scope) || before.role !== taken.role) {
      await writeAudit(query, {
        at: now,
        actor: sessionActor(row),
        cloud: row.cloud,
        action: 'session.choose-scope',
        subject: `session:${row.id}`,
        before,
        after: { scope: taken.scope, role: taken.role },
      })
    }
    return findSessionById(query, row.id)
  })
  await revokeTokens(ctx, cloud, [openToken(signIn, row, 'scoped')])
  return { id: secret, account: accountOfSession(after ?? row, now) }
}
