import 'server-only'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { type ChangeRow, findChange, findPlan, listSteps, noSuchChange, type StepRow } from './change-rows'

const stepOf = ({ body, intent, revision: _, changedAt, ...row }: StepRow): ChangeDetail['steps'][number] => {
  const { task: _task, calls, ...words } = body
  return {
    ...words,
    ...row,
    calls: [...calls],
    hasEffect: intent !== null,
    changedAt: changedAt?.toISOString() ?? null,
  }
}

/** The change that the caller sees, with its steps. For services that have checked the permission. */
export const loadChange = async (
  ctx: ServiceContext,
  id: number,
): Promise<{ change: ChangeRow; steps: StepRow[] }> => {
  const change = await findChange(ctx.database, id)
  if (change === undefined || !seesCloud(ctx.actor, change.cloud)) throw noSuchChange(id)
  return { change, steps: await listSteps(ctx.database, id) }
}

/** One change with every step, its literal calls and what came of them. */
export const getChange = async (ctx: ServiceContext, { id }: { id: number }): Promise<ChangeDetail> => {
  requirePermission(ctx, 'fleet.read')
  const { change, steps } = await loadChange(ctx, id)
  const { cloudId: _, sessionId: _session, lastAt, madeAt, startedAt, endedAt, approvedAt, ...row } = change
  return {
    ...row,
    lastAt: lastAt.toISOString(),
    madeAt: madeAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    approvedAt: approvedAt?.toISOString() ?? null,
    ...(await findPlan(ctx.database, id)),
    steps: steps.map(stepOf),
  }
}
