import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findScenario, readStoredSteps, shownScenario } from './scenario-rows'

/** Deletes a scenario. The audit keeps its steps. */
export const deleteScenario = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'scenario.save')
  await ctx.database.transaction(async (connection) => {
    const before = await findScenario(ctx, connection, { id, locked: true })
    await connection.prisma.scenario.delete({ where: { id } })
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: before.cloud.name,
      action: 'scenario.delete',
      subject: `scenario:${id}`,
      before: shownScenario({ name: before.name, steps: readStoredSteps(before) }),
      after: null,
    })
  })
}
