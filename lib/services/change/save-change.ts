import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { malformedReason } from '@/lib/domain/plans/malformed/malformed'
import { malformedStep } from '@/lib/domain/plans/malformed-steps'
import { toStored } from '@/lib/domain/plans/stored-plan'
import type { Plan } from '@/lib/domain/plans/types'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { previewOf } from './plan-change'

const INSERT = `
INSERT INTO change
  (cloud_id, kind, title, input, preview, last_action, last_by, last_at, made_by, made_at, needs_approval)
VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, 'plan', $6, $7::timestamptz, $6, $7::timestamptz, $8) RETURNING id`

const INSERT_STEPS = `
INSERT INTO change_step (change_id, position, body)
SELECT $1, step.position - 1, step.body FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS step (body, position)`

const whyEmpty = ({ refusals: [refusal], flavorChange, limitChange, fence }: Plan): string => {
  if (typeof fence?.refusal === 'string') return fence.refusal
  const [flavor] = flavorChange?.refusals ?? []
  const [limit] = limitChange?.refusals ?? []
  if (limit !== undefined)
    return `Nothing can be done: ${limit.resourceName}${limit.projectName === null ? '' : ` of ${limit.projectName}`}: ${limit.reason}.`
  if (flavor !== undefined) return `Nothing can be done: ${flavor.name}: ${flavor.reason}.`
  if (refusal !== undefined)
    return `Nothing can be done: ${refusal.host} ${refusal.address}: ${refusal.reason}.`
  const what = flavorChange !== undefined ? 'flavor' : limitChange !== undefined ? 'limit' : 'pGPU'
  return `Every chosen ${what} is as wanted already: there is nothing to do.`
}

/** Refuses a plan of any planner with a value that does not have its form. */
export const refuseMalformed = ({ steps }: Plan): void => {
  const found = malformedStep(steps)
  if (found !== null)
    throw new ServiceError('precondition', `Nothing can be planned: ${malformedReason(found)}.`)
}

/** Refuses a plan in which there is nothing to do, with the reason. */
export const refuseEmpty = (plan: Plan): void => {
  if (plan.steps.length === 0) throw new ServiceError('precondition', whyEmpty(plan))
}

/** What the console does by itself, such as taking a granted limit back, was approved when it was arranged. */
const needsApproval = ({ actor, approvesChanges }: ServiceContext): boolean =>
  approvesChanges && actor.kind !== 'system'

/** Writes a plan and its audit row, in the caller's transaction; gives the id of the change. */
export const saveChange = async (
  ctx: ServiceContext,
  query: Query,
  { cloud, input, plan }: { cloud: Cloud; input: PlanChange; plan: Plan },
): Promise<number> => {
  refuseMalformed(plan)
  const at = ctx.now()
  const values = [
    cloud.id,
    input.kind,
    plan.title,
    JSON.stringify(toStored(input)),
    JSON.stringify(toStored(previewOf(plan))),
    describeActor(ctx.actor),
    at,
    needsApproval(ctx),
  ]
  const [created] = await query(INSERT, values, uncheckedRow<{ id: number }>())
  if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
  await query(INSERT_STEPS, [created.id, JSON.stringify(plan.steps.map(toStored))])
  await writeAudit(query, {
    at,
    actor: ctx.actor,
    cloud: cloud.name,
    action: 'change.plan',
    subject: `change:${created.id}`,
    before: null,
    after: { cloud: cloud.name, kind: input.kind, title: plan.title, steps: plan.steps.length },
  })
  return created.id
}
