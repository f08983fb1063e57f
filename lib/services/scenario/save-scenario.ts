import 'server-only'
import { inDateOrder } from '@/lib/domain/scenario/in-date-order'
import type { ScenarioDto } from '@/lib/schemas/api/scenario'
import { type SaveScenario, saveScenarioSchema } from '@/lib/schemas/api/scenario-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import {
  findScenario,
  readStoredSteps,
  refuseTakenName,
  type ScenarioRow,
  scenarioDto,
  shownScenario,
  storedSteps,
} from './scenario-rows'

const refuseOtherSave = ({ name, version, savedBy, savedAt }: ScenarioRow, changed: number): void => {
  if (version === changed) return
  const by = savedBy.replace(/^user:/, '')
  throw new ServiceError(
    'conflict',
    `${by} saved "${name}" at ${savedAt.toISOString()}, after you opened it: reload the scenario, then repeat your change.`,
  )
}

/** Changes the name and the steps of a scenario. Refused if it was saved since the caller read it. */
export const saveScenario = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: SaveScenario },
): Promise<ScenarioDto> => {
  requirePermission(ctx, 'scenario.save')
  const { name, steps: given, version } = parseInput(saveScenarioSchema, body)
  const steps = inDateOrder(given)
  const at = ctx.now()
  return ctx.database.transaction(async (connection) => {
    const before = await findScenario(ctx, connection, { id, locked: true })
    refuseOtherSave(before, version)
    await refuseTakenName(connection.prisma, { cloudId: before.cloudId, name, id })
    const row = await connection.prisma.scenario.update({
      where: { id },
      data: {
        ...{ name, steps: storedSteps(steps), version: version + 1 },
        ...{ savedBy: describeActor(ctx.actor), savedAt: at },
      },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud.name,
      action: 'scenario.save',
      subject: `scenario:${id}`,
      before: shownScenario({ name: before.name, steps: readStoredSteps(before) }),
      after: shownScenario({ name, steps }),
    })
    return scenarioDto({ ...row, cloud: before.cloud })
  })
}
