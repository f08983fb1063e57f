import type { JoinToken } from '@/lib/schemas/api/agents'
import type { JoinToken as Row } from '@/lib/server/prisma-client/client'

const stateOf = (row: Row, now: Date): JoinToken['state'] => {
  if (row.revokedAt !== null) return 'revoked'
  if (row.uses >= row.maxUses) return 'used-up'
  return row.expiresAt <= now ? 'expired' : 'usable'
}

export const joinTokenOf = (row: Row, now: Date): JoinToken => ({
  id: row.id,
  label: row.label,
  hostName: row.hostName,
  maxUses: row.maxUses,
  uses: row.uses,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  state: stateOf(row, now),
})
