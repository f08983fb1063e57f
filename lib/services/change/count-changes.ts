import 'server-only'
import type { ChangeCounts } from '@/lib/schemas/api/change-counts'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'

/** How many changes of a cloud are in progress. Every page requests it. */
export const countChanges = async (ctx: ServiceContext, input: CloudScope): Promise<ChangeCounts> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const counts = await ctx.database.prisma.change.groupBy({
    by: ['state'],
    where: { cloudId: cloud.id, state: { in: ['running', 'undoing', 'stopped'] } },
    _count: true,
  })
  const countOf = (state: string): number => counts.find((row) => row.state === state)?._count ?? 0
  return { cloud: cloud.name, running: countOf('running') + countOf('undoing'), stopped: countOf('stopped') }
}
