import 'server-only'
import type { ScenarioList } from '@/lib/schemas/api/scenario'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { naturalOrder } from '@/lib/util/natural-order'
import { readStoredSteps } from './scenario-rows'

/** The saved scenarios of a cloud by name, without their steps. */
export const listScenarios = async (ctx: ServiceContext, input: CloudScope): Promise<ScenarioList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const rows = await ctx.database.prisma.scenario.findMany({ where: { cloudId: cloud.id } })
  const scenarios = rows.map((row): ScenarioList['scenarios'][number] => {
    const { id, name, version, createdBy, createdAt, savedBy, savedAt } = row
    const steps = readStoredSteps(row)
    const days = (steps ?? []).flatMap(({ date }) => date ?? []).toSorted()
    return {
      ...{ id, name, version, createdBy, savedBy },
      createdAt: createdAt.toISOString(),
      savedAt: savedAt.toISOString(),
      stepCount: steps?.length ?? null,
      from: days[0] ?? null,
      until: days.at(-1) ?? null,
    }
  })
  return { cloud: cloud.name, scenarios: scenarios.toSorted((a, b) => naturalOrder(a.name, b.name)) }
}
