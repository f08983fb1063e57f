import 'server-only'
import type { ApiTokenDto } from '@/lib/schemas/api/api-tokens'
import type { Account } from '@/lib/server/context/service-context'
import type { ApiToken as Row } from '@/lib/server/prisma-client/client'
import { actorName, rolesOf } from '@/lib/server/session/account-actor'

const stateOf = (row: Row, now: Date): ApiTokenDto['state'] => {
  if (row.revokedAt !== null) return 'revoked'
  return row.expiresAt <= now ? 'expired' : 'usable'
}

export const apiTokenOf = (
  row: Row,
  { account, now }: { account: Pick<Account, 'userId'>; now: Date },
): ApiTokenDto => ({
  id: row.id,
  label: row.label,
  access: row.access === 'write' ? 'write' : 'read',
  role: rolesOf(row.role)[0] ?? 'tenant',
  scope: row.scopeKind === 'system' ? 'system' : (row.projectName ?? ''),
  owner: actorName(row),
  isOwn: row.userId === account.userId,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastAddress: row.lastAddress,
  state: stateOf(row, now),
})
