import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import type { ApiTokenList } from '@/lib/schemas/api/api-tokens'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { ApiToken as Row } from '@/lib/server/prisma-client/client'
import { API_TOKEN_COLUMNS } from './api-token-columns'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

/** Tokens that nobody can use any more are shown for this long. */
const SHOWN_AFTER_END_MS = 30 * 24 * 3600_000

const LIST = `
SELECT ${API_TOKEN_COLUMNS} FROM api_token
WHERE cloud = $1 AND ($2::text IS NULL OR user_id = $2)
  AND COALESCE(revoked_at, expires_at) > $3::timestamptz
ORDER BY id DESC LIMIT 500`

/** The person's own tokens of this cloud, newest first; an admin sees everybody's. */
export const listApiTokens = async (ctx: ServiceContext): Promise<ApiTokenList> => {
  requirePermission(ctx, 'api-token.list')
  const { account, role } = ownAccount(ctx)
  const seesAll = isAllowed({ roles: [role], action: 'api-token.list-all' })
  const now = ctx.now()
  const rows = await ctx.database.query(
    LIST,
    [account.cloud, seesAll ? null : account.userId, new Date(now.getTime() - SHOWN_AFTER_END_MS)],
    uncheckedRow<Row>(),
  )
  return { tokens: rows.map((row) => apiTokenOf(row, { account, now })) }
}
