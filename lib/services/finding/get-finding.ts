import 'server-only'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { findingContent, trackedFinding } from './finding-row'
import { loadFindingMutes } from './load-finding-mutes'

export const noSuchFinding = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no finding ${id}. Reload the list.`, { field: 'id' })

const WITH_EVENTS = {
  cloud: { select: { name: true } },
  events: {
    select: { at: true, kind: true, actor: true, note: true, changeId: true },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  },
} satisfies Prisma.FindingInclude

/** One finding with its history. */
export const getFinding = async (ctx: ServiceContext, { id }: { id: number }): Promise<FindingDetail> => {
  requirePermission(ctx, 'fleet.read')
  const found = await ctx.database.prisma.finding.findUnique({ where: { id }, include: WITH_EVENTS })
  if (found === null || !seesCloud(ctx.actor, found.cloud.name)) throw noSuchFinding(id)
  const now = ctx.now()
  const mutes = await loadFindingMutes(ctx.database, { cloudId: found.cloudId, now })
  const { key, evidence } = findingContent(found)
  return {
    ...trackedFinding(found, { now, mutes }),
    cloud: found.cloud.name,
    key,
    evidence,
    events: found.events.map((event) => ({ ...event, at: event.at.toISOString() })),
  }
}
