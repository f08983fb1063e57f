import 'server-only'
import type { CloudList } from '@/lib/schemas/api/agents'
import { requirePermission } from '@/lib/server/require-permission'
import { onlyCloud, type ServiceContext } from '@/lib/server/service-context'
import { compareTexts } from '@/lib/services/fleet/card-table'

/** The clouds that the caller sees, by name; the first is the one that questions without a cloud mean (findCloud). */
export const listClouds = async (ctx: ServiceContext): Promise<CloudList> => {
  requirePermission(ctx, 'fleet.read')
  const only = onlyCloud(ctx.actor)
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { name: true, region: true },
    where: only === null ? {} : { name: only },
  })
  return { clouds: clouds.sort((a, b) => compareTexts(a.name, b.name)) }
}
