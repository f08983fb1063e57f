import 'server-only'
import type { CloudList } from '@/lib/schemas/api/cloud-list'
import { requirePermission } from '@/lib/server/context/require-permission'
import { onlyCloud, type ServiceContext } from '@/lib/server/context/service-context'
import { compareTexts } from '@/lib/util/compare-texts'
import type { Cloud } from './find-cloud'

/** The clouds that the caller sees, by name. For services that have checked the caller's permission. */
export const seenClouds = async (ctx: ServiceContext): Promise<Cloud[]> => {
  const only = onlyCloud(ctx.actor)
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { id: true, name: true, region: true },
    where: only === null ? {} : { name: only },
  })
  return clouds.sort((a, b) => compareTexts(a.name, b.name))
}

/** The clouds that the caller sees, by name; the first is the one that questions without a cloud mean (findCloud). */
export const listClouds = async (ctx: ServiceContext): Promise<CloudList> => {
  requirePermission(ctx, 'fleet.read')
  return { clouds: (await seenClouds(ctx)).map(({ name, region }) => ({ name, region })) }
}
