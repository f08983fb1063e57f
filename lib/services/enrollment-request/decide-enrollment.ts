import 'server-only'
import { type DecideEnrollment, decideEnrollmentSchema } from '@/lib/schemas/api/enrollment-request-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { requestCode } from './request-code'

const DECISIONS = { approve: 'approved', 'approve-as-new': 'approved as new', decline: 'declined' } as const

/**
 * Allows a waiting host its credential once, within a day, or refuses the join token for that host. The host itself is
 * changed only when its agent asks again. The same decision twice changes nothing.
 */
export const decideEnrollment = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: DecideEnrollment },
): Promise<void> => {
  requirePermission(ctx, 'enrollment.decide')
  const { decision } = parseInput(decideEnrollmentSchema, body)
  const decided = DECISIONS[decision]
  const now = ctx.now()
  await ctx.database.transaction(async ({ query, prisma }) => {
    await lockRow(query, 'pending_enrollment', id)
    const found = await prisma.pendingEnrollment.findUnique({ where: { id }, include: { cloud: true } })
    if (found === null || !seesCloud(ctx.actor, found.cloud.name))
      throw new ServiceError('not_found', `There is no enrollment request ${id}. Reload the list.`, {
        field: 'id',
      })
    if (decision === 'approve-as-new' && found.reason !== 'removed-host')
      throw new ServiceError(
        'validation',
        `decision is "approve-as-new", but ${found.hostName} was not removed: use approve or decline.`,
        { field: 'decision' },
      )
    if (found.decision === decided) return
    if (found.decision !== null)
      throw new ServiceError(
        'conflict',
        `Request ${requestCode(found.requesterHash)} was already ${found.decision} by ${found.decidedBy}. Reload the list.`,
      )
    await prisma.pendingEnrollment.update({
      where: { id },
      data: { decision: decided, decidedBy: describeActor(ctx.actor), decidedAt: now },
    })
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud.name,
      action: decision === 'decline' ? 'enrollment.decline' : 'enrollment.approve',
      subject: `host:${found.hostName}`,
      before: { decision: null },
      after: {
        decision: decided,
        reason: found.reason,
        request: requestCode(found.requesterHash),
        joinTokenId: found.joinTokenId,
        address: found.address,
      },
    })
  })
}
