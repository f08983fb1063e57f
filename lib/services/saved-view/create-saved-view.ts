import 'server-only'
import { type CreateSavedView, createSavedViewSchema, type SavedView } from '@/lib/schemas/api/saved-view'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { auditedView, ownerIdOf, refuseTakenName, requireSharing, savedViewDto } from './saved-view-rows'

/** More would not fit above the list. */
const MAX_VIEWS = 20

/** Saves a view of the list of GPUs, for the caller or, as an admin, for everyone. */
export const createSavedView = async (
  ctx: ServiceContext,
  { body }: { body: CreateSavedView },
): Promise<SavedView> => {
  requirePermission(ctx, 'view.save')
  const { cloud: cloudName, ...view } = parseInput(createSavedViewSchema, body)
  if (view.isShared) requireSharing(ctx)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const { actor } = ctx
  const [ownerId, at] = [ownerIdOf(actor), ctx.now()]
  return ctx.database.transaction(async ({ prisma, query }) => {
    await lockRow(query, 'cloud', cloud.id)
    if ((await prisma.savedView.count({ where: { cloudId: cloud.id, ownerId } })) >= MAX_VIEWS)
      throw new ServiceError(
        'conflict',
        `You have ${MAX_VIEWS} saved views, which is the maximum. Delete one that you no longer need.`,
      )
    await refuseTakenName(prisma, { cloudId: cloud.id, ownerId, name: view.name, id: null })
    const ownerName = actor.kind === 'user' ? actor.name : ''
    const row = await prisma.savedView.create({
      data: { ...view, cloudId: cloud.id, ownerId, ownerName, createdAt: at, updatedAt: at },
    })
    await writeAudit(query, {
      at,
      actor,
      cloud: cloud.name,
      action: 'view.create',
      subject: `view:${row.id}`,
      before: null,
      after: auditedView(row),
    })
    return savedViewDto(row, actor)
  })
}
