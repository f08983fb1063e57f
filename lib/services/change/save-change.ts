import 'server-only'
import { malformedReason } from '@/lib/domain/plans/malformed/malformed'
import { malformedStep } from '@/lib/domain/plans/malformed-steps'
import { toStored } from '@/lib/domain/plans/stored-plan'
import type { Plan, PlannedStep } from '@/lib/domain/plans/types'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { jsonValue } from '@/lib/server/database/json-value'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { inSlices } from '@/lib/util/in-slices'
import { previewOf } from './plan-change'

/** The first refusal of a plan, and what was chosen for it. */
const reasonOf = (plan: Plan): { refusal: string | null; chosen: string } => {
  switch (plan.kind) {
    case 'fence':
      return { refusal: plan.fence.refusal, chosen: 'option' }
    case 'flavor': {
      const [first] = plan.flavorChange.refusals
      return { refusal: first === undefined ? null : `${first.name}: ${first.reason}`, chosen: 'flavor' }
    }
    case 'limits': {
      const [first] = plan.limitChange.refusals
      if (first === undefined) return { refusal: null, chosen: 'limit' }
      const { resourceName, projectName, reason } = first
      const where = projectName === null ? '' : ` of ${projectName}`
      return { refusal: `${resourceName}${where}: ${reason}`, chosen: 'limit' }
    }
    case 'orphans':
    case 'passthrough':
    case 'traits':
    case 'type': {
      const [first] = plan.refusals
      const refusal = first === undefined ? null : `${first.host} ${first.address}: ${first.reason}`
      return { refusal, chosen: 'pGPU' }
    }
  }
}

// SQL: one parameter for many steps, for which Prisma's client takes seconds.
const INSERT_STEPS = `
INSERT INTO change_step (change_id, position, body)
SELECT $1, $3 + step.position - 1, step.body
FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS step (body, position)`

/** Between two statements other requests are answered: a plan has up to 10 MB of steps. */
const STEPS_AT_ONCE = 500

const whyEmpty = (plan: Plan): string => {
  const { refusal, chosen } = reasonOf(plan)
  if (refusal === null)
    return `Every selected ${chosen} already has the requested state. There is nothing to do.`
  return plan.kind === 'fence' ? refusal : `Nothing can be done: ${refusal}.`
}

/** Refuses a plan of any planner with a value that does not have its form. */
export const refuseMalformed = async ({ steps }: Plan, signal?: AbortSignal): Promise<void> => {
  const found = await inSlices(malformedStep(steps), signal)
  if (found !== null)
    throw new ServiceError('precondition', `Nothing can be planned: ${malformedReason(found)}.`)
}

/** Refuses a plan in which there is nothing to do, with the reason. */
export const refuseEmpty = (plan: Plan): void => {
  if (plan.steps.length === 0) throw new ServiceError('precondition', whyEmpty(plan))
}

/**
 * What the console does automatically, such as reverting a granted limit when it expires, was approved when it was
 * arranged.
 */
const needsApproval = ({ actor, approvesChanges }: ServiceContext): boolean =>
  approvesChanges && actor.kind !== 'system'

/** Writes a plan and its audit row, in the caller's transaction; gives the id of the change. */
export const saveChange = async (
  ctx: ServiceContext,
  { prisma, query }: Connection,
  { cloud, input, plan }: { cloud: Cloud; input: PlanChange; plan: Plan },
): Promise<number> => {
  await refuseMalformed(plan)
  const at = ctx.now()
  const by = describeActor(ctx.actor)
  const { id } = await prisma.change.create({
    data: {
      cloudId: cloud.id,
      kind: input.kind,
      title: plan.title,
      input: jsonValue(toStored(input)),
      preview: jsonValue(toStored(previewOf(plan))),
      lastAction: 'plan',
      lastBy: by,
      lastAt: at,
      madeBy: by,
      madeAt: at,
      needsApproval: needsApproval(ctx),
    },
    select: { id: true },
  })
  const steps: readonly PlannedStep[] = plan.steps
  for (let from = 0; from < steps.length; from += STEPS_AT_ONCE)
    await query(INSERT_STEPS, [
      id,
      JSON.stringify(steps.slice(from, from + STEPS_AT_ONCE).map(toStored)),
      from,
    ])
  await writeAudit(query, {
    at,
    actor: ctx.actor,
    cloud: cloud.name,
    action: 'change.plan',
    subject: `change:${id}`,
    before: null,
    after: { cloud: cloud.name, kind: input.kind, title: plan.title, steps: plan.steps.length },
  })
  return id
}
