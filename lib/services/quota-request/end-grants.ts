import 'server-only'
import { limitTable } from '@/lib/domain/limits/limit-view'
import type { LimitScope } from '@/lib/domain/plans/limits/tasks'
import { endGrant, type Grant } from '@/lib/domain/quota-request/end-grant'
import { requestStatus } from '@/lib/domain/quota-request/request-status'
import { actorLabel } from '@/lib/domain/wording'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { isServiceError, ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { findChange } from '@/lib/services/change/change-rows'
import { createLimitExecutor } from '@/lib/services/change/limit-executor'
import { loadFleetForPlan } from '@/lib/services/change/load-fleet-for-plan'
import { planChange } from '@/lib/services/change/plan-change'
import { saveChange } from '@/lib/services/change/save-change'
import { isAt } from '@/lib/services/change/step-handlers/limit-rows'
import { StepFailed } from '@/lib/services/change/step-handlers/step-work'
import { grantInput, seenBy } from './plan-grant'
import { loadRequests, lockRequest, type RequestRow } from './request-rows'

type Ending = {
  /** Why the limit was not reset; null: it was. */
  note: string | null
  /** A later grant that builds on this one, and the value to which it is reset at its end. */
  heir?: { id: number; before: number | null }
}

/** Records that the end date of a grant was dealt with. */
const recordEnd = (ctx: ServiceContext, row: RequestRow, { note, heir }: Ending): Promise<void> =>
  ctx.database.transaction(async (connection) => {
    const at = ctx.now()
    const { quotaRequest } = connection.prisma
    const found = await lockRequest(connection, row.id)
    if (found?.state !== 'approved') return
    await quotaRequest.update({
      where: { id: row.id },
      data: { state: 'ended', version: { increment: 1 }, endedAt: at, endNote: note, problem: null },
    })
    if (heir !== undefined)
      await quotaRequest.update({ where: { id: heir.id }, data: { beforeValue: heir.before } })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.end',
      subject: `quota-request:${row.id}`,
      before: { state: row.state, limit: row.grantedValue },
      after: {
        state: 'ended',
        note,
        change: row.backChangeId,
        ...(heir === undefined ? {} : { heir: heir.id }),
      },
    })
  })

/** Records why the end date could not be dealt with yet. The same reason again writes nothing. */
const recordProblem = async ({ database }: ServiceContext, id: number, problem: string): Promise<void> => {
  await database.prisma.quotaRequest.updateMany({
    where: { id, OR: [{ problem: null }, { problem: { not: problem } }] },
    data: { problem },
  })
}

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
  const limitScope: LimitScope = { serviceId, regionId: view.limits.novaRegionId }
  const rows = await createLimitExecutor({ account, tokenId: null }).listProject()
  const found = rows
    .filter(isAt(limitScope))
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

const formatLimit = (value: number | null): string => (value === null ? 'the default' : String(value))

/** Processes a grant whose end date has passed: the limit is reset only if it still has the granted value. */
const takeBack = async (ctx: ServiceContext, row: RequestRow): Promise<void> => {
  const now = await readNow(ctx, row)
  const others = await loadOthers(ctx, row)
  const end = endGrant(grantOf(row), { now, others: others.map(grantOf) })
  if (end.kind === 'take-back') return planBack(ctx, row, end.to)
  if (end.kind === 'there') return recordEnd(ctx, row, { note: null })
  if (end.kind === 'hand-on')
    return recordEnd(ctx, row, {
      note: `Request ${end.heir} was granted on top of it, so the limit is reverted when that request ends.`,
      heir: { id: end.heir, before: end.to },
    })
  return recordEnd(ctx, row, {
    note: `The limit was granted as ${row.grantedValue}, but is ${formatLimit(now)} now, so it is not reverted.`,
  })
}

/** Approved requests whose end date has come. */
export const dueAt = (now: Date) =>
  ({ state: 'approved', grantedUntil: { lte: now } }) satisfies Prisma.QuotaRequestWhereInput

const act = async (ctx: ServiceContext, id: number, action: 'start' | 'drop'): Promise<void> => {
  const change = await findChange(ctx.database, id)
  if (change?.state === 'planned') await actOnChange(ctx, { id, body: { action, version: change.version } })
}

/** An approved limit that was not written in time: a plan is dropped, and what has begun is left to who runs it. */
const endUnwritten = async (ctx: ServiceContext, row: RequestRow): Promise<void> => {
  if (row.changeId !== null && row.changeState === 'planned') await act(ctx, row.changeId, 'drop')
  else
    await recordProblem(
      ctx,
      row.id,
      `Change ${row.changeId}, which writes the limit, has not ended. Continue it or roll it back.`,
    )
}

const followBack = async (ctx: ServiceContext, row: RequestRow, backChangeId: number): Promise<void> => {
  if (row.backChangeState === 'planned') return act(ctx, backChangeId, 'start')
  if (row.backChangeState === 'done') return recordEnd(ctx, row, { note: null })
  if (row.backChangeState !== 'dropped' && row.backChangeState !== 'undone') return
  const change = await findChange(ctx.database, backChangeId)
  const what = row.backChangeState === 'dropped' ? 'discarded' : 'rolled back'
  const who = change === undefined ? '' : ` by ${actorLabel(change.lastBy)}`
  return recordEnd(ctx, row, {
    note: `Change ${backChangeId}, which reverts the limit, was ${what}${who}, so the limit is not reverted.`,
  })
}

const endOne = async (ctx: ServiceContext, row: RequestRow): Promise<void> => {
  const state = requestStatus(row)
  if (state === 'unwritten')
    return recordEnd(ctx, row, { note: 'The limit was never written, so there is nothing to revert.' })
  if (state === 'reverted')
    return recordEnd(ctx, row, { note: 'The limit was reverted before the end date.' })
  if (state === 'writing') return endUnwritten(ctx, row)
  if (row.backChangeId !== null) return followBack(ctx, row, row.backChangeId)
  return takeBack(ctx, row)
}

const reasonOf = (error: unknown): string | null =>
  isServiceError(error) || isOpenStackError(error) || error instanceof StepFailed ? error.message : null

/**
 * One check of the grants whose end date has passed. All state is in the database, so that the next check continues after
 * a failure.
 */
export const endGrants = async (ctx: ServiceContext): Promise<void> => {
  const due = await loadRequests(ctx.database, {
    where: dueAt(ctx.now()),
    orderBy: [{ grantedUntil: 'asc' }, { id: 'asc' }],
  })
  for (const row of due) {
    try {
      await endOne(ctx, row)
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === null) throw error
      await recordProblem(ctx, row.id, reason)
    }
  }
}
