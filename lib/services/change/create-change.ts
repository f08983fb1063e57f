import 'server-only'
import type { Plan } from '@/lib/domain/plans/types'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { writeAudit } from '@/lib/server/audit'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/service-context'
import { ServiceError } from '@/lib/server/service-error'
import { getChange } from './get-change'
import { planChange, previewOf } from './plan-change'

const INSERT = `
INSERT INTO change
  (cloud_id, kind, title, input, preview, last_action, last_by, last_at, made_by, made_at, needs_approval)
VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, 'plan', $6, $7::timestamptz, $6, $7::timestamptz, $8) RETURNING id`

const INSERT_STEPS = `
INSERT INTO change_step (change_id, position, body)
SELECT $1, step.position - 1, step.body FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS step (body, position)`

const whyEmpty = ({ refusals: [refusal], flavorChange }: Plan): string => {
  const [flavor] = flavorChange?.refusals ?? []
  if (flavor !== undefined) return `Nothing can be done: ${flavor.name}: ${flavor.reason}.`
  if (refusal !== undefined)
    return `Nothing can be done: ${refusal.host} ${refusal.address}: ${refusal.reason}.`
  const what = flavorChange === undefined ? 'pGPU' : 'flavor'
  return `Every chosen ${what} is as wanted already: there is nothing to do.`
}

/** Saves a plan for review. Nothing is written in the cloud, and no pGPU is held yet. */
export const createChange = async (ctx: ServiceContext, body: PlanChange): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.plan')
  const input = parseInput(planChangeSchema, body)
  const { cloud, plan } = await planChange(ctx, input)
  if (plan.steps.length === 0) throw new ServiceError('precondition', whyEmpty(plan))
  const at = ctx.now()
  const by = describeActor(ctx.actor)
  const id = await ctx.database.transaction(async (query) => {
    const values = [
      cloud.id,
      input.kind,
      plan.title,
      JSON.stringify(input),
      JSON.stringify(previewOf(plan)),
      by,
      at,
      ctx.approvesChanges,
    ]
    const [created] = await query<{ id: number }>(INSERT, values)
    if (created === undefined) throw new Error('INSERT with RETURNING gave no row')
    await query(INSERT_STEPS, [created.id, JSON.stringify(plan.steps)])
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
  })
  return getChange(ctx, { id })
}
