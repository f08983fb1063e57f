import 'server-only'
import { createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import type { CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { writeAudit } from '@/lib/server/audit'
import { parseInput } from '@/lib/server/parse-input'
import type { ApiToken as Row } from '@/lib/server/prisma-client/client'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { newApiToken } from '@/lib/server/session/secrets'
import { API_TOKEN_COLUMNS } from './api-token-columns'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

const DAY_MS = 24 * 3600_000

const INSERT = `
INSERT INTO api_token (hash, label, cloud, user_id, user_name, user_domain, scope_kind, project_id, project_name,
  project_domain, role, access, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::timestamptz, $14::timestamptz)
RETURNING ${API_TOKEN_COLUMNS}`

/**
 * A token for scripts with the role that its maker has now. It is shown in the answer and nowhere else. It ends when it
 * expires or is revoked, not with its maker's role: whoever takes a role away revokes the tokens too.
 */
export const createApiToken = async (
  ctx: ServiceContext,
  { body }: { body: unknown },
): Promise<CreatedApiToken> => {
  requirePermission(ctx, 'api-token.create')
  const { label, access, lifetimeDays } = parseInput(createApiTokenSchema, body)
  const { account, scope, role } = ownAccount(ctx)
  const project = scope.kind === 'project' ? scope : null
  const { secret, hash } = newApiToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + lifetimeDays * DAY_MS)
  const row = await ctx.database.transaction(async (query) => {
    const { cloud, userId, userName, userDomain } = account
    const [created] = await query<Row>(INSERT, [
      ...[hash, label, cloud, userId, userName, userDomain, scope.kind],
      ...[project?.id ?? null, project?.name ?? null, project?.domain ?? null],
      ...[role, access, now, expiresAt],
    ])
    if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud,
      action: 'api-token.create',
      subject: `api-token:${created.id}`,
      before: null,
      after: { cloud, label, scope, role, access, expiresAt: expiresAt.toISOString() },
    })
    return created
  })
  return { ...apiTokenOf(row, { account, now }), token: secret }
}
