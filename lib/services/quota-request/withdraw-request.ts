import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { requestStanding, whyNotDecide } from '@/lib/domain/quota-request/request-standing'
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
import { findRequest, type RequestRow, SELECT_REQUESTS } from './request-rows'

const FIND = `${SELECT_REQUESTS} WHERE r.cloud_id = $1 AND r.project_id = $2 AND r.number = $3 FOR UPDATE OF r`

const SET = `
UPDATE quota_request SET state = 'withdrawn', version = version + 1, decided_by = $2, decided_at = $3::timestamptz
WHERE id = $1`

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
  const row = await ctx.database.transaction(async ({ query }) => {
    const [found] = await query(FIND, [cloud.id, scope.id, number], uncheckedRow<RequestRow>())
    if (found === undefined)
      throw new ServiceError('not_found', `Your project has no request ${number}. Reload the list.`, {
        field: 'number',
      })
    const standing = requestStanding(found)
    const refusal = whyNotDecide(standing)
    if (refusal !== null)
      throw new ServiceError('conflict', `Request ${number} ${refusal}, so it cannot be withdrawn.`)
    await query(SET, [found.id, describeActor(ctx.actor), at])
    const withdrawn = await findRequest(query, found.id)
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'quota-request.withdraw',
      subject: `quota-request:${found.id}`,
      before: { state: found.state },
      after: { state: 'withdrawn' },
    })
    return withdrawn ?? found
  })
  return ownRequestDto(row)
}
