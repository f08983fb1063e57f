import 'server-only'
import type { CloudList } from '@/lib/schemas/api/agents'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'

/** All clouds, by name. */
export const listClouds = async (ctx: ServiceContext): Promise<CloudList> => {
  requirePermission(ctx, 'fleet.read')
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { name: true, region: true },
    orderBy: { name: 'asc' },
  })
  return { clouds }
}
