import 'server-only'
import { requestStatus, untilProblem, whyNotDecide } from '@/lib/domain/quota-request/request-status'
import { whyNotMore } from '@/lib/domain/quota-request/requested-limit'
import { actorLabel } from '@/lib/domain/wording'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { RequestDetail } from '@/lib/schemas/api/quota-request'
import { type DecideRequest, decideRequestSchema } from '@/lib/schemas/api/quota-request-inputs'
import type { RequestState } from '@/lib/schemas/states'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { isServiceError, ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { actOnChange, callerOf } from '@/lib/services/change/act-on-change'
import { loadFleetForPlan } from '@/lib/services/change/load-fleet-for-plan'
import { planChange } from '@/lib/services/change/plan-change'
import { refuseEmpty, saveChange } from '@/lib/services/change/save-change'
import { getRequest } from './get-request'
import { grantInput, limitNow, seenBy } from './plan-grant'
import { findRequest, lockRequest, noSuchRequest, type RequestRow } from './request-rows'

type Approval = Extract<DecideRequest, { decision: 'approve' }>

/** Refuses a request that was decided since, and names who decided it. */
const checkOpen = (ctx: ServiceContext, row: RequestRow | undefined, { id, version }: Seen): RequestRow => {
  if (row === undefined || !seesCloud(ctx.actor, row.cloud)) throw noSuchRequest(id)
  const refusal = whyNotDecide(requestStatus(row))
  const who =
    row.decidedBy === null || row.decidedAt === null
      ? ''
      : `: ${actorLabel(row.decidedBy)} was first, at ${row.decidedAt.toISOString()}`
  if (refusal !== null) throw new ServiceError('conflict', `Request ${id} ${refusal}${who}.`)
  if (row.version !== version)
    throw new ServiceError('conflict', `Request ${id} has changed${who}. Reload it, then decide.`)
  return row
}

type Seen = { id: number; version: number }

/** A second click: the same person decided the same on the same version. */
const isRepeat = (
  ctx: ServiceContext,
  row: RequestRow | undefined,
  { version, decision }: DecideRequest,
): boolean =>
  row !== undefined &&
  seesCloud(ctx.actor, row.cloud) &&
  row.version === version + 1 &&
  row.state === (decision === 'decline' ? 'declined' : 'approved') &&
  row.decidedBy === describeActor(ctx.actor)

const lockOpen = async (ctx: ServiceContext, connection: Connection, seen: Seen): Promise<RequestRow> =>
  checkOpen(ctx, await lockRequest(connection, seen.id), seen)

/** What every decision writes into the request. */
const decided = (ctx: ServiceContext, state: RequestState, at: Date) =>
  ({
    state,
    version: { increment: 1 },
    decidedBy: describeActor(ctx.actor),
    decidedAt: at,
  }) satisfies Prisma.QuotaRequestUpdateInput

const decline = async (
  ctx: ServiceContext,
  { id, version, answer }: Seen & { answer: string },
): Promise<void> => {
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const row = await lockOpen(ctx, connection, { id, version })
    await connection.prisma.quotaRequest.update({
      where: { id },
      data: {
        ...decided(ctx, 'declined', at),
        answer,
        grantedValue: null,
        grantedUntil: null,
        beforeValue: null,
        changeId: null,
      },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.decline',
      subject: `quota-request:${id}`,
      before: { state: row.state },
      after: { state: 'declined', answer },
    })
  })
}

/** Refuses what would not be more, and what ends before it begins. */
const checkGrant = async (
  ctx: ServiceContext,
  row: RequestRow,
  { value, until }: Approval,
): Promise<void> => {
  const late = untilProblem(until === null ? null : new Date(until), ctx.now())
  if (late !== null)
    throw new ServiceError('validation', `until is ${until}, but ${late}.`, { field: 'until' })
  const fleet = await loadFleetForPlan(ctx, { id: row.cloudId, name: row.cloud, region: null })
  const refusal = whyNotMore(limitNow(fleet, row), value)
  if (refusal !== null)
    throw new ServiceError('validation', `value is ${value}, but ${refusal}: grant more, or decline.`, {
      field: 'value',
    })
}

/** Saves the change that writes the limit in the same transaction as the decision. */
const approve = async (ctx: ServiceContext, id: number, approval: Approval): Promise<number> => {
  const { version, value, until, answer } = approval
  const seen = { id, version }
  const request = checkOpen(ctx, await findRequest(ctx.database, id), seen)
  // A caller who cannot run the change is refused before the decision.
  callerOf(ctx, false)
  await checkGrant(ctx, request, approval)
  const input: PlanLimits = grantInput(request.cloud, request, value)
  const { cloud, plan } = await planChange(ctx, { ...input, setUp: null })
  refuseEmpty(plan)
  const at = ctx.now()
  return ctx.database.transaction(async (connection) => {
    const row = await lockOpen(ctx, connection, seen)
    const changeId = await saveChange(ctx, connection, { cloud, input, plan })
    const before = seenBy(plan) ?? null
    await connection.prisma.quotaRequest.update({
      where: { id },
      data: {
        ...decided(ctx, 'approved', at),
        answer: answer === '' ? null : answer,
        grantedValue: value,
        grantedUntil: until === null ? null : new Date(until),
        beforeValue: before,
        changeId,
        problem: null,
      },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.approve',
      subject: `quota-request:${id}`,
      before: { state: row.state, limit: before },
      after: { state: 'approved', value, until, change: changeId },
    })
    return changeId
  })
}

/**
 * An admin approves or declines. If two decide on the same version, the first one wins and the other gets the first one's
 * name. A change writes the limit; it starts immediately unless a second person has to approve it.
 */
export const decideRequest = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: DecideRequest },
): Promise<RequestDetail> => {
  requirePermission(ctx, 'quota-request.decide')
  const decision = parseInput(decideRequestSchema, body)
  try {
    if (decision.decision === 'decline') await decline(ctx, { id, ...decision })
    else {
      const changeId = await approve(ctx, id, decision)
      if (!ctx.approvesChanges)
        await actOnChange(ctx, { id: changeId, body: { action: 'start', version: 1 } })
    }
  } catch (error) {
    const isDone =
      isServiceError(error) &&
      error.code === 'conflict' &&
      isRepeat(ctx, await findRequest(ctx.database, id), decision)
    if (!isDone) throw error
  }
  return getRequest(ctx, { id })
}
