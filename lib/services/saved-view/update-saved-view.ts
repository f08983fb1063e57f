import 'server-only'
import { type SavedView, type UpdateSavedView, updateSavedViewSchema } from '@/lib/schemas/api/saved-view'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import {
  auditedView,
  findChangeableView,
  refuseTakenName,
  requireSharing,
  savedViewDto,
} from './saved-view-rows'

/** Changes the name, the list or the sharing of a view: of an own one, or as an admin of a shared one. */
export const updateSavedView = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: UpdateSavedView },
): Promise<SavedView> => {
  requirePermission(ctx, 'view.save')
  const view = parseInput(updateSavedViewSchema, body)
  return ctx.database.transaction(async (connection) => {
    const { prisma, query } = connection
    const before = await findChangeableView(ctx, connection, { id })
    if (view.isShared !== before.isShared) requireSharing(ctx)
    await refuseTakenName(prisma, { ...before, name: view.name })
    const at = ctx.now()
    const row = await prisma.savedView.update({ where: { id }, data: { ...view, updatedAt: at } })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud.name,
      action: 'view.update',
      subject: `view:${id}`,
      before: auditedView(before),
      after: auditedView(row),
    })
    return savedViewDto(row, ctx.actor)
  })
}
