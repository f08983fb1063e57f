import 'server-only'
import { findingTitle } from '@/lib/domain/findings/finding-title'
import type { FindingMuteList } from '@/lib/schemas/api/finding-mute'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFindingMutes } from './load-finding-mutes'

/** The kinds of findings that are muted, with the number of findings that each mute hides. */
export const listFindingMutes = async (ctx: ServiceContext, input: CloudScope): Promise<FindingMuteList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const now = ctx.now()
  const mutes = await loadFindingMutes(ctx.database, { cloudId: cloud.id, now })
  const hidden = await ctx.database.prisma.finding.groupBy({
    by: ['code'],
    where: {
      cloudId: cloud.id,
      code: { in: [...mutes.keys()] },
      closedAt: null,
      OR: [{ acknowledgedBy: null }, { acknowledgedUntil: { lte: now } }],
    },
    _count: true,
  })
  const counts = new Map(hidden.map(({ code, _count }) => [code, _count]))
  return {
    cloud: cloud.name,
    mutes: [...mutes].map(([code, mute]) => ({
      ...mute,
      code,
      title: findingTitle(code),
      findings: counts.get(code) ?? 0,
    })),
  }
}
