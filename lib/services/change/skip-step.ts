import 'server-only'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { nextStepState } from '@/lib/domain/plans/step-states'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type SkipStep, skipStepSchema } from '@/lib/schemas/api/change-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { withdrawCommands } from '@/lib/services/agent-command/end-commands'
import { actedOn, lockSeen, refuseInHand } from './act-on-change'
import { findStep } from './change-rows'
import { getChange } from './get-change'
import { recordStep } from './record-step'

/** Leaves a step out, with the reason. While rolling back: what it did stays. */
export const skipStep = async (
  ctx: ServiceContext,
  { id, position, body }: { id: number; position: number; body: SkipStep },
): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.run')
  const { version, reason } = parseInput(skipStepSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const change = await lockSeen(ctx, connection, { id, version, action: 'skip' })
    if (change === null) return
    const step = await findStep(connection, { changeId: id, position })
    if (step === undefined)
      throw new ServiceError('not_found', `Change ${id} has no step ${position + 1}.`, { field: 'position' })
    const isUndo = change.state === 'undoing' || (step.isUndo && step.state !== 'undone')
    const isPossible = isActiveChange(change.state) && (isUndo || step.state !== 'done')
    if (!isPossible || nextStepState(step.state, 'skip') === null)
      throw new ServiceError(
        'conflict',
        `Step ${position + 1} is ${step.state} and the change is ${change.state}, so the step cannot be skipped now.`,
      )
    await refuseInHand(connection, { id, position, at, actor: ctx.actor })
    await withdrawCommands(connection, { changeId: id, position, at, actor: ctx.actor })
    const record = { event: 'skip', isUndo, ...(isUndo ? { intent: null } : {}), note: reason } as const
    const recorded = await recordStep(connection, { change, step, record, at, actor: ctx.actor })
    if (recorded === null)
      throw new ServiceError('conflict', `Step ${position + 1} has just changed. Reload the change.`)
    await connection.prisma.change.update({
      where: { id },
      data: actedOn({ action: 'skip', by: describeActor(ctx.actor), at }),
      select: { id: true },
    })
  })
  return getChange(ctx, { id })
}
