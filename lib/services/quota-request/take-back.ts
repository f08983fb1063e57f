import 'server-only'
import { limitTable } from '@/lib/domain/limits/limit-view'
import type { LimitPlace } from '@/lib/domain/plans/limits/tasks'
import { endGrant, type Grant } from '@/lib/domain/quota-request/end-grant'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { createLimitDesk } from '@/lib/services/change/limit-desk'
import { loadFleetForPlan } from '@/lib/services/change/load-fleet-for-plan'
import { planChange } from '@/lib/services/change/plan-change'
import { saveChange } from '@/lib/services/change/save-change'
import { isAt } from '@/lib/services/change/works/limit-rows'
import { recordEnd } from './end-record'
import { grantInput, seenBy } from './plan-grant'
import { loadRequests, lockRequest, type RequestRow } from './request-rows'

/** The other grants of the same limit that are in force, in the order in which they were decided. */
const loadOthers = async (
  { database }: ServiceContext,
  { id, cloudId, projectId, resourceName }: RequestRow,
): Promise<RequestRow[]> => {
  const approved = await loadRequests(database, {
    where: { cloudId, projectId, resourceName, id: { not: id }, state: 'approved', backChangeId: null },
    orderBy: { decidedAt: 'asc' },
  })
  return approved.filter(({ changeState }) => changeState === 'done')
}

const grantOf = ({ id, grantedValue, beforeValue }: RequestRow): Grant => ({
  id,
  value: grantedValue ?? 0,
  before: beforeValue,
})

/** The project's own limit as Keystone has it now; null: none. */
const readNow = async (ctx: ServiceContext, row: RequestRow): Promise<number | null> => {
  const account = ctx.accounts.find(({ cloud }) => cloud === row.cloud)
  const view = limitTable(await loadFleetForPlan(ctx, { id: row.cloudId, name: row.cloud, region: null }))
  const serviceId = view?.limits.novaServiceId ?? null
  if (account === undefined || view === null || serviceId === null)
    throw new ServiceError('unavailable', `Keystone’s limits of cloud "${row.cloud}" could not be read.`)
  const place: LimitPlace = { serviceId, regionId: view.limits.novaRegionId }
  const rows = await createLimitDesk({ account, tokenId: null }).listProject()
  const found = rows
    .filter(isAt(place))
    .find(({ projectId, resourceName }) => projectId === row.projectId && resourceName === row.resourceName)
  return found?.resourceLimit ?? null
}

/** Saves the change that takes a limit back, together with its place in the request; it starts at the next look. */
const planBack = async (ctx: ServiceContext, row: RequestRow, to: number | null): Promise<void> => {
  const input = grantInput(row.cloud, row, to)
  const { cloud, plan } = await planChange(ctx, { ...input, setUp: null })
  // The plan is made from what was read last: a round that is older than the grant is waited out.
  if (seenBy(plan) !== row.grantedValue) return
  await ctx.database.transaction(async (connection) => {
    const found = await lockRequest(connection, row.id)
    if (found?.state !== 'approved' || found.backChangeId !== null) return
    const changeId = await saveChange(ctx, connection, { cloud, input, plan })
    await connection.prisma.quotaRequest.update({
      where: { id: row.id },
      data: { backChangeId: changeId, problem: null },
    })
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.take-back',
      subject: `quota-request:${row.id}`,
      before: { limit: row.grantedValue },
      after: { limit: to, change: changeId },
    })
  })
}

const limitWords = (value: number | null): string => (value === null ? 'none of its own' : String(value))

/** Processes a grant whose end date has passed: the limit is reset only if it still has the granted value. */
export const takeBack = async (ctx: ServiceContext, row: RequestRow): Promise<void> => {
  const now = await readNow(ctx, row)
  const others = await loadOthers(ctx, row)
  const end = endGrant(grantOf(row), { now, others: others.map(grantOf) })
  if (end.kind === 'take-back') return planBack(ctx, row, end.to)
  if (end.kind === 'there') return recordEnd(ctx, row, { note: null })
  if (end.kind === 'hand-on')
    return recordEnd(ctx, row, {
      note: `Request ${end.heir} was granted on top of it: the limit goes back at that one’s end.`,
      heir: { id: end.heir, before: end.to },
    })
  return recordEnd(ctx, row, {
    note: `Somebody has changed the limit since: it was granted as ${row.grantedValue} and is ${limitWords(now)}, so it stays.`,
  })
}
