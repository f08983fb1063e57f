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
import { lockSeen, refuseInHand } from './act-on-change'
import { listSteps } from './change-rows'
import { getChange } from './get-change'
import { recordStep } from './record-step'

const TOUCH = `
UPDATE change SET version = version + 1, last_action = 'skip', last_by = $2, last_at = $3::timestamptz WHERE id = $1`

/** Leaves a step out, with the reason. While rolling back: what it did stays. */
export const skipStep = async (
  ctx: ServiceContext,
  { id, position, body }: { id: number; position: number; body: SkipStep },
): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.run')
  const { version, reason } = parseInput(skipStepSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async ({ query }) => {
    const change = await lockSeen(ctx, query, { id, version, action: 'skip' })
    if (change === null) return
    const step = (await listSteps(query, id)).find((row) => row.position === position)
    if (step === undefined)
      throw new ServiceError('not_found', `Change ${id} has no step ${position + 1}.`, { field: 'position' })
    const isUndo = change.state === 'undoing' || (step.isUndo && step.state !== 'undone')
    const isPossible = isActiveChange(change.state) && (isUndo || step.state !== 'done')
    if (!isPossible || nextStepState(step.state, 'skip') === null)
      throw new ServiceError(
        'conflict',
        `Step ${position + 1} is ${step.state} and the change is ${change.state}: nothing of it can be skipped now.`,
      )
    await refuseInHand(query, { id, position, at, actor: ctx.actor })
    await withdrawCommands(query, { changeId: id, position, at, actor: ctx.actor })
    const record = { event: 'skip', isUndo, intent: isUndo ? null : step.intent, note: reason } as const
    const recorded = await recordStep(query, { change, step, record, at, actor: ctx.actor })
    if (recorded === null)
      throw new ServiceError('conflict', `Step ${position + 1} has just moved on: look at it again.`)
    await query(TOUCH, [id, describeActor(ctx.actor), at])
  })
  return getChange(ctx, { id })
}
