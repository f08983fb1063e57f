import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { openDemand } from '@/lib/domain/quota-request/open-demand'
import { isUndecided, requestStatus } from '@/lib/domain/quota-request/request-status'
import type { RequestDetail } from '@/lib/schemas/api/quota-request'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { isServiceError } from '@/lib/server/errors/service-error'
import { loadFleetForPlan } from '@/lib/services/change/load-fleet-for-plan'
import { planChange } from '@/lib/services/change/plan-change'
import { grantInput, limitNow } from './plan-grant'
import { findRequest, noSuchRequest, type RequestRow, requestDto } from './request-rows'

type Effect = Pick<RequestDetail, 'effect' | 'because'>

const demandOf = async (
  { database }: ServiceContext,
  fleet: Fleet,
  { cloudId, resourceName }: RequestRow,
): Promise<{ openCount: number; openDemand: number | null }> => {
  const open = await database.prisma.quotaRequest.findMany({
    where: { cloudId, resourceName, state: 'open' },
    select: { projectId: true, value: true },
  })
  const limitOf = (projectId: string) =>
    limitNow(fleet, { projectId, resourceName }) ?? {
      kind: 'unknown' as const,
      because: 'Keystone’s limits were never read',
      origin: 'default' as const,
    }
  return { openCount: open.length, openDemand: openDemand(open, limitOf) }
}

/** What approving it as asked would mean, by the plan that it would be carried out with. */
const effectOf = async (ctx: ServiceContext, row: RequestRow): Promise<Effect> => {
  try {
    const { cloud, plan } = await planChange(ctx, {
      ...grantInput(row.cloud, row, row.value),
      setUp: null,
    })
    const fleet = await loadFleetForPlan(ctx, cloud)
    const change = plan.limitChange
    const [own] = change.effects
    return {
      effect: {
        change,
        used: own?.used ?? null,
        limit: limitNow(fleet, row),
        ...(await demandOf(ctx, fleet, row)),
      },
      because: null,
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { effect: null, because: error.message }
  }
}

/** One request, and while it is undecided what approving it would mean. */
export const getRequest = async (ctx: ServiceContext, { id }: { id: number }): Promise<RequestDetail> => {
  requirePermission(ctx, 'fleet.read')
  const row = await findRequest(ctx.database, id)
  if (row === undefined || !seesCloud(ctx.actor, row.cloud)) throw noSuchRequest(id)
  const effect = isUndecided(requestStatus(row)) ? await effectOf(ctx, row) : { effect: null, because: null }
  return { ...requestDto(row), ...effect }
}
