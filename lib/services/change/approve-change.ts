import 'server-only'
import { whyNotApprove } from '@/lib/domain/plans/change-terms'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type ApproveChange, approveChangeSchema } from '@/lib/schemas/api/change-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { actedOn, lockSeen } from './act-on-change'
import { getChange } from './get-change'

/** Records a second person's approval of exactly the version of the plan and its terms that they saw. */
export const approveChange = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: ApproveChange },
): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.approve')
  const { version } = parseInput(approveChangeSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const change = await lockSeen(ctx, connection, { id, version, action: 'approve' })
    if (change === null) return
    const by = describeActor(ctx.actor)
    const refusal = whyNotApprove(change, by)
    if (refusal !== null) throw new ServiceError('precondition', refusal)
    await connection.prisma.change.update({
      where: { id },
      data: { approvedBy: by, approvedAt: at, ...actedOn({ action: 'approve', by, at }) },
      select: { id: true },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: change.cloud,
      action: 'change.approve',
      subject: `change:${id}`,
      before: { approvedBy: null },
      after: { approvedBy: by, version },
    })
  })
  return getChange(ctx, { id })
}
