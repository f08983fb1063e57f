import 'server-only'
import type { JoinToken } from '@/lib/schemas/api/agents'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { joinTokenOf } from './join-token-row'

/** How long ended tokens are listed. */
const SHOWN_AFTER_END_MS = 7 * 24 * 3600_000

/** Join tokens of a cloud, newest first. For services that have checked the caller's permission. */
export const listJoinTokens = async (ctx: ServiceContext, cloud: Cloud): Promise<JoinToken[]> => {
  const now = ctx.now()
  const rows = await ctx.database.prisma.joinToken.findMany({
    where: { cloudId: cloud.id, expiresAt: { gt: new Date(now.getTime() - SHOWN_AFTER_END_MS) } },
    orderBy: { id: 'desc' },
    take: 500,
  })
  return rows.map((row) => joinTokenOf(row, now))
}
