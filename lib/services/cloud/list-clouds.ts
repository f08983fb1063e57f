import 'server-only'
import type { CloudList } from '@/lib/schemas/api/agents'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { compareTexts } from '@/lib/services/fleet/card-table'

/** All clouds, by name; the first is the one that questions without a cloud mean (findCloud). */
export const listClouds = async (ctx: ServiceContext): Promise<CloudList> => {
  requirePermission(ctx, 'fleet.read')
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { name: true, region: true },
  })
  return { clouds: clouds.sort((a, b) => compareTexts(a.name, b.name)) }
}
