import 'server-only'
import type { SavedViewList } from '@/lib/schemas/api/saved-view'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { ownerIdOf, savedViewDto } from './saved-view-rows'

/** The caller's views of the list of GPUs, and those that others share, by name. */
export const listSavedViews = async (ctx: ServiceContext, input: CloudScope): Promise<SavedViewList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.prisma.savedView.findMany({
    where: { cloudId: cloud.id, OR: [{ ownerId: ownerIdOf(ctx.actor) }, { isShared: true }] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return { cloud: cloud.name, views: rows.map((row) => savedViewDto(row, ctx.actor)) }
}
