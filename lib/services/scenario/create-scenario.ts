import 'server-only'
import { inDateOrder } from '@/lib/domain/scenario/in-date-order'
import type { ScenarioDto } from '@/lib/schemas/api/scenario'
import { type CreateScenario, createScenarioSchema } from '@/lib/schemas/api/scenario-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { refuseTakenName, scenarioDto, shownScenario, storedSteps } from './scenario-rows'

const MAX_SCENARIOS = 200

/** Saves a new scenario of a cloud. */
export const createScenario = async (
  ctx: ServiceContext,
  { body }: { body: CreateScenario },
): Promise<ScenarioDto> => {
  requirePermission(ctx, 'scenario.save')
  const { cloud: cloudName, name, steps: given } = parseInput(createScenarioSchema, body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const steps = inDateOrder(given)
  const [at, by] = [ctx.now(), describeActor(ctx.actor)]
  return ctx.database.transaction(async ({ prisma, query }) => {
    await lockRow(query, 'cloud', cloud.id)
    await refuseTakenName(prisma, { cloudId: cloud.id, name, id: null })
    if ((await prisma.scenario.count({ where: { cloudId: cloud.id } })) >= MAX_SCENARIOS)
      throw new ServiceError(
        'conflict',
        `This cloud has ${MAX_SCENARIOS} scenarios, which is the maximum: delete one that is no longer needed.`,
      )
    const row = await prisma.scenario.create({
      data: {
        ...{ cloudId: cloud.id, name, steps: storedSteps(steps) },
        ...{ createdBy: by, createdAt: at, savedBy: by, savedAt: at },
      },
    })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'scenario.create',
      subject: `scenario:${row.id}`,
      before: null,
      after: shownScenario({ name, steps }),
    })
    return scenarioDto({ ...row, cloud: { name: cloud.name } })
  })
}
