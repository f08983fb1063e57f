import 'server-only'
import type * as z from 'zod'
import type { ScenarioDto } from '@/lib/schemas/api/scenario'
import { type ScenarioStepDto, storedStepsSchema } from '@/lib/schemas/api/scenario-inputs'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'

const WITH_CLOUD = { cloud: { select: { name: true } } } satisfies Prisma.ScenarioInclude
export type ScenarioRow = Prisma.ScenarioGetPayload<{ include: typeof WITH_CLOUD }>

/** The scenario, if it belongs to a cloud that the caller sees. `locked`: it stays as it is until the transaction ends. */
export const findScenario = async (
  ctx: Pick<ServiceContext, 'actor'>,
  { prisma, query }: Connection,
  { id, locked = false }: { id: number; locked?: boolean },
): Promise<ScenarioRow> => {
  if (locked) await lockRow(query, 'scenario', id)
  const found = await prisma.scenario.findUnique({ where: { id }, include: WITH_CLOUD })
  if (found !== null && seesCloud(ctx.actor, found.cloud.name)) return found
  throw new ServiceError('not_found', `There is no scenario ${id}. Choose one from the list of scenarios.`, {
    field: 'id',
  })
}

/** The steps of a row; null: a newer release of the console saved them. */
export const readStoredSteps = ({ steps }: Pick<ScenarioRow, 'steps'>): ScenarioStepDto[] | null => {
  const read = storedStepsSchema.safeParse(steps)
  return read.success ? read.data.steps : null
}

/** The steps as they are stored. */
export const storedSteps = (steps: readonly ScenarioStepDto[]): z.output<typeof storedStepsSchema> => ({
  version: 1,
  steps: [...steps],
})

/** As an answer has it. */
export const scenarioDto = (row: ScenarioRow): ScenarioDto => {
  const steps = readStoredSteps(row)
  if (steps === null)
    throw new ServiceError(
      'precondition',
      `The steps of "${row.name}" cannot be read, because a newer release of the console saved them. Open it there.`,
    )
  const { id, name, version, createdBy, createdAt, savedBy, savedAt } = row
  return {
    ...{ id, name, version, createdBy, savedBy, steps, cloud: row.cloud.name },
    createdAt: createdAt.toISOString(),
    savedAt: savedAt.toISOString(),
  }
}

/** As the audit shows it. */
export const shownScenario = ({
  name,
  steps,
}: {
  name: string
  steps: readonly ScenarioStepDto[] | null
}) => ({
  name,
  steps,
})

export const refuseTakenName = async (
  prisma: Connection['prisma'],
  { cloudId, name, id }: { cloudId: number; name: string; id: number | null },
): Promise<void> => {
  const other = await prisma.scenario.findUnique({ where: { cloudId_name: { cloudId, name } } })
  if (other === null || other.id === id) return
  throw new ServiceError('conflict', `There is a scenario named "${name}" already: choose another name.`, {
    field: 'name',
  })
}
