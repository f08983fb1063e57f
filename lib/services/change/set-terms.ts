import 'server-only'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type ChangeTermsInput, changeTermsSchema } from '@/lib/schemas/api/change-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { actedOn, lockSeen } from './act-on-change'
import type { ChangeRow } from './change-rows'
import { getChange } from './get-change'

const termsOf = ({ needsApproval, approvedBy, window, batchHosts }: ChangeRow) => ({
  needsApproval,
  approvedBy,
  window,
  batchHosts,
})

/** Binds a plan to an approval, a window and batches. An approval is of the terms too, so new terms take it back. */
export const setTerms = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: ChangeTermsInput },
): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.plan')
  const { version, ...terms } = parseInput(changeTermsSchema, body)
  const { needsApproval, window, batchHosts } = terms
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const change = await lockSeen(ctx, connection, { id, version, action: 'set-terms' })
    if (change === null) return
    if (change.state !== 'planned' && change.state !== 'stopped')
      throw new ServiceError(
        'conflict',
        'The policy can be set only before a change starts or while it is stopped. Stop the change first.',
      )
    if (ctx.approvesChanges && !needsApproval)
      throw new ServiceError(
        'precondition',
        'This console requires a second person for every change (SLICEBOARD_CHANGE_APPROVAL=always).',
        { field: 'needsApproval' },
      )
    const by = describeActor(ctx.actor)
    await connection.prisma.change.update({
      where: { id },
      data: {
        needsApproval,
        windowFrom: window === null ? null : new Date(window.from),
        windowUntil: window === null ? null : new Date(window.until),
        batchHosts,
        approvedBy: null,
        approvedAt: null,
        ...actedOn({ action: 'set-terms', by, at }),
      },
      select: { id: true },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: change.cloud,
      action: 'change.set-terms',
      subject: `change:${id}`,
      before: termsOf(change),
      after: { ...terms, approvedBy: null },
    })
  })
  return getChange(ctx, { id })
}
