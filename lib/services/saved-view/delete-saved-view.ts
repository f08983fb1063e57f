import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { auditedView, findChangeableView } from './saved-view-rows'

/** Deletes an own view, or as an admin a shared one. */
export const deleteSavedView = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'view.save')
  await ctx.database.transaction(async (connection) => {
    const before = await findChangeableView(ctx, connection, { id })
    await connection.prisma.savedView.delete({ where: { id } })
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: before.cloud.name,
      action: 'view.delete',
      subject: `view:${id}`,
      before: auditedView(before),
      after: null,
    })
  })
}
