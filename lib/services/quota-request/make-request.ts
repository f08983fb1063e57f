import 'server-only'
import * as z from 'zod'
import { untilProblem } from '@/lib/domain/quota-request/request-status'
import { whyNotMore } from '@/lib/domain/quota-request/requested-limit'
import type { OwnRequest } from '@/lib/schemas/api/quota-request'
import { type MakeRequest, makeRequestSchema } from '@/lib/schemas/api/quota-request-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { ownClasses, ownRequestDto } from './own-requests'
import { findRequest } from './request-rows'

/** Open ones of a project: more would only bury the others. */
const MAX_OPEN = 20

// SQL: aggregates with conditions.
const NEXT = `
SELECT coalesce(max(number), 0) + 1 AS number, (count(*) FILTER (WHERE state = 'open'))::int AS open,
  min(number) FILTER (WHERE state = 'open' AND resource_name = $3) AS same,
  min(id) FILTER (WHERE state = 'open' AND resource_name = $3 AND made_by = $4 AND value = $5
    AND until IS NOT DISTINCT FROM $6::timestamptz AND reason = $7
    AND made_at > $8::timestamptz - interval '10 seconds') AS "repeatOf"
FROM quota_request WHERE cloud_id = $1 AND project_id = $2`

const nextRow = z.object({
  number: z.int(),
  open: z.int(),
  same: z.int().nullable(),
  repeatOf: z.int().nullable(),
})

const nextNumber = async (
  query: Query,
  {
    cloud,
    projectId,
    input,
    by,
    at,
  }: { cloud: Cloud; projectId: string; input: MakeRequest; by: string; at: Date },
): Promise<Pick<z.infer<typeof nextRow>, 'number' | 'repeatOf'>> => {
  const { resourceName, value, until, reason } = input
  // One at a time per cloud, so that numbers do not collide.
  await lockRow(query, 'cloud', cloud.id)
  const values = [cloud.id, projectId, resourceName, by, value, until, reason, at]
  const [next] = await query(NEXT, values, nextRow)
  if (next === undefined) throw new Error('an aggregate without groups has one row')
  // A second click or a repeated request.
  if (next.repeatOf !== null) return next
  if (next.same !== null)
    throw new ServiceError(
      'conflict',
      `Request ${next.same} for ${resourceName} is already open. Withdraw it first, then send a new request.`,
      { field: 'resourceName' },
    )
  if (next.open >= MAX_OPEN)
    throw new ServiceError(
      'limit',
      `${next.open} requests are open, and a project has at most ${MAX_OPEN} at a time: withdraw one first.`,
    )
  return next
}

const check = async (
  ctx: ServiceContext,
  { cloud, projectId, input }: { cloud: Cloud; projectId: string; input: MakeRequest },
): Promise<void> => {
  const { resourceName, value, until } = input
  const late = untilProblem(until === null ? null : new Date(until), ctx.now())
  if (late !== null)
    throw new ServiceError('validation', `until is ${until}, but ${late}.`, { field: 'until' })
  const classes = await ownClasses(ctx, { cloud, projectId })
  if (classes === null)
    throw new ServiceError(
      'unavailable',
      'The resource classes of your project have not been read yet. Try again in a minute.',
    )
  const found = classes.find((each) => each.resourceName === resourceName)
  if (found === undefined)
    throw new ServiceError(
      'validation',
      `resourceName is "${resourceName}", but no flavor of your project requests it. Select one from the list.`,
      { field: 'resourceName' },
    )
  const refusal = whyNotMore(found.limit, value)
  if (refusal !== null)
    throw new ServiceError('validation', `value is ${value}, but ${refusal}. Request a higher value.`, {
      field: 'value',
    })
}

/** A member of a project requests a higher limit. Only admins of the cloud and members of the project see the request. */
export const makeRequest = async (
  ctx: ServiceContext,
  { body }: { body: MakeRequest },
): Promise<OwnRequest> => {
  requirePermission(ctx, 'quota-request.make')
  const { cloud: cloudName, scope } = requireProject(ctx)
  const input = parseInput(makeRequestSchema, body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  await check(ctx, { cloud, projectId: scope.id, input })
  const { resourceName, value, until, reason } = input
  const at = ctx.now()
  const row = await ctx.database.transaction(async (connection) => {
    const { prisma, query } = connection
    const by = describeActor(ctx.actor)
    const next = await nextNumber(query, { cloud, projectId: scope.id, input, by, at })
    if (next.repeatOf !== null) return findRequest(connection, next.repeatOf)
    const { id } = await prisma.quotaRequest.create({
      data: {
        cloudId: cloud.id,
        projectId: scope.id,
        projectName: scope.name,
        number: next.number,
        resourceName,
        value,
        until: until === null ? null : new Date(until),
        reason,
        madeBy: by,
        madeAt: at,
      },
      select: { id: true },
    })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'quota-request.make',
      subject: `quota-request:${id}`,
      before: null,
      after: { project: scope.name, projectId: scope.id, resourceName, value, until },
    })
    return findRequest(connection, id)
  })
  if (row === undefined) throw new Error('the request was not found in the transaction that saved it')
  return ownRequestDto(row)
}
