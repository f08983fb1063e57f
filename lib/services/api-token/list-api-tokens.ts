import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { ApiTokenList } from '@/lib/schemas/api/api-tokens'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

/** How long ended tokens are listed. */
const SHOWN_AFTER_END_MS = 30 * 24 * 3600_000

/** The person's own tokens of this cloud, newest first; an admin sees everybody's. */
export const listApiTokens = async (ctx: ServiceContext): Promise<ApiTokenList> => {
  requirePermission(ctx, 'api-token.list')
  const { account, role } = ownAccount(ctx)
  const seesAll = isAllowed({ roles: [role], action: 'api-token.list-all' })
  const now = ctx.now()
  const shownSince = { gt: new Date(now.getTime() - SHOWN_AFTER_END_MS) }
  const rows = await ctx.database.prisma.apiToken.findMany({
    where: {
      cloud: account.cloud,
      ...(seesAll ? {} : { userId: account.userId }),
      OR: [{ revokedAt: shownSince }, { revokedAt: null, expiresAt: shownSince }],
    },
    orderBy: { id: 'desc' },
    take: 500,
  })
  return { tokens: rows.map((row) => apiTokenOf(row, { account, now })) }
}
