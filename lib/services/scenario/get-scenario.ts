import 'server-only'
import type { ScenarioDto } from '@/lib/schemas/api/scenario'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findScenario, scenarioDto } from './scenario-rows'

/** A saved scenario with its steps. */
export const getScenario = async (ctx: ServiceContext, { id }: { id: number }): Promise<ScenarioDto> => {
  requirePermission(ctx, 'fleet.read')
  return scenarioDto(await findScenario(ctx, ctx.database, { id }))
}
