import 'server-only'
import type { AccountDto } from '@/lib/schemas/api/session'
import { chooseScopeSchema } from '@/lib/schemas/api/session-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { newSessionId } from '@/lib/server/secrets/session-secrets'
import { scopeOf, sessionActor } from '@/lib/server/session/account-actor'
import { findSessionById, setSessionScope } from '@/lib/server/session/session-store'
import { openToken, sealToken } from '@/lib/server/session/session-tokens'
import { accountOfSession } from './get-account'
import { ownSessionToken, takenConcurrently } from './own-session'
import { revokeTokens } from './revoke-tokens'
import { takeScope } from './take-scope'

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

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
  const now = ctx.now()
  const taken = await takeScope({ signIn, cloud, unscopedId, choice, now })
  const { secret, hash } = newSessionId()
  const before = { scope: scopeOf(row), role: row.role }
  const taking = ctx.database.transaction(async ({ query, prisma }) => {
    const scopedToken = sealToken(signIn, { hash, kind: 'scoped', tokenId: taken.tokenId })
    const unscopedToken = sealToken(signIn, { hash, kind: 'unscoped', tokenId: unscopedId })
    const sealed = { hash, oldHash: row.hash, scopedToken, unscopedToken }
    if (!(await setSessionScope({ prisma }, { id: row.id, ...taken, ...sealed, now })))
      throw takenConcurrently()
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
    return findSessionById({ prisma }, row.id)
  })
  const after = await taking.catch(async (error: unknown) => {
    await revokeTokens(ctx, cloud, [taken.tokenId])
    throw error
  })
  await revokeTokens(ctx, cloud, [openToken(signIn, row, 'scoped')])
  return { id: secret, account: accountOfSession(after ?? row, now) }
}
