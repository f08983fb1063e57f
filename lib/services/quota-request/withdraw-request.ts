import 'server-only'
import { requestStatus, whyNotDecide } from '@/lib/domain/quota-request/request-status'
import type { OwnRequest } from '@/lib/schemas/api/quota-request'
import { ownRequestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { ownRequestDto } from './own-requests'
import { lockRequest } from './request-rows'

/** The project takes an undecided request back. */
export const withdrawRequest = async (
  ctx: ServiceContext,
  { number: text }: { number: number },
): Promise<OwnRequest> => {
  requirePermission(ctx, 'quota-request.make')
  const { cloud: cloudName, scope } = requireProject(ctx)
  const { number } = parseInput(ownRequestParamsSchema, { number: text })
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const at = ctx.now()
  const row = await ctx.database.transaction(async (connection) => {
    const { quotaRequest } = connection.prisma
    const named = await quotaRequest.findUnique({
      where: { cloudId_projectId_number: { cloudId: cloud.id, projectId: scope.id, number } },
      select: { id: true },
    })
    const found = named === null ? undefined : await lockRequest(connection, named.id)
    if (found === undefined)
      throw new ServiceError('not_found', `Your project has no request ${number}. Reload the list.`, {
        field: 'number',
      })
    const state = requestStatus(found)
    const refusal = whyNotDecide(state)
    if (refusal !== null)
      throw new ServiceError('conflict', `Request ${number} ${refusal}, so it cannot be withdrawn.`)
    const decision = { state: 'withdrawn', decidedBy: describeActor(ctx.actor), decidedAt: at } as const
    await quotaRequest.update({
      where: { id: found.id },
      data: { ...decision, version: { increment: 1 } },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'quota-request.withdraw',
      subject: `quota-request:${found.id}`,
      before: { state: found.state },
      after: { state: 'withdrawn' },
    })
    return { ...found, ...decision }
  })
  return ownRequestDto(row)
}
