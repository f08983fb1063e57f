import 'server-only'
import { requestStanding } from '@/lib/domain/quota-request/request-standing'
import { actorWords } from '@/lib/domain/wording'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { isServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { findChange } from '@/lib/services/change/change-rows'
import { StepFailed } from '@/lib/services/change/works/step-work'
import { recordEnd, recordProblem } from './end-record'
import { loadRequests, type RequestRow } from './request-rows'
import { takeBack } from './take-back'

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
      `Change ${row.changeId}, which writes the limit, has not ended: go on with it or roll it back.`,
    )
}

const followBack = async (ctx: ServiceContext, row: RequestRow, backChangeId: number): Promise<void> => {
  if (row.backChangeState === 'planned') return act(ctx, backChangeId, 'start')
  if (row.backChangeState === 'done') return recordEnd(ctx, row, { note: null })
  if (row.backChangeState !== 'dropped' && row.backChangeState !== 'undone') return
  const change = await findChange(ctx.database, backChangeId)
  const what = row.backChangeState === 'dropped' ? 'dropped' : 'rolled back'
  const who = change === undefined ? 'Somebody' : actorWords(change.lastBy)
  return recordEnd(ctx, row, {
    note: `${who} ${what} change ${backChangeId}, which was to take the limit back: it stays.`,
  })
}

const endOne = async (ctx: ServiceContext, row: RequestRow): Promise<void> => {
  const standing = requestStanding(row)
  if (standing === 'unwritten')
    return recordEnd(ctx, row, { note: 'The limit was never written, so there is nothing to revert.' })
  if (standing === 'reverted')
    return recordEnd(ctx, row, { note: 'The limit was reverted before the end date.' })
  if (standing === 'writing') return endUnwritten(ctx, row)
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
