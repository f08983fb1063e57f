import 'server-only'
import type { SavedView } from '@/lib/schemas/api/saved-view'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type Actor, type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma, SavedView as SavedViewRow } from '@/lib/server/prisma-client/client'

/** Keystone's id of the person; empty: the admin of a console without sign-in. */
export const ownerIdOf = (actor: Actor): string =>
  actor.kind === 'user' ? (actor.account?.userId ?? '') : ''

export const savedViewDto = (row: SavedViewRow, actor: Actor): SavedView => ({
  id: row.id,
  name: row.name,
  query: row.query,
  isShared: row.isShared,
  isOwn: row.ownerId === ownerIdOf(actor),
  owner: row.ownerName,
  updatedAt: row.updatedAt.toISOString(),
})

export const auditedView = ({
  name,
  query,
  isShared,
}: Pick<SavedViewRow, 'name' | 'query' | 'isShared'>) => ({
  name,
  query,
  isShared,
})

/** Shared views are shown to everyone. */
export const requireSharing = (ctx: Pick<ServiceContext, 'actor'>): void =>
  requirePermission(ctx, 'view.share')

const WITH_CLOUD = { cloud: { select: { name: true } } } satisfies Prisma.SavedViewInclude

/** The view, locked until the transaction ends, if the caller may change it: an own one, or as an admin a shared one. */
export const findChangeableView = async (
  ctx: Pick<ServiceContext, 'actor'>,
  { prisma, query }: Connection,
  { id }: { id: number },
) => {
  await lockRow(query, 'saved_view', id)
  const found = await prisma.savedView.findUnique({ where: { id }, include: WITH_CLOUD })
  const isOwn = found?.ownerId === ownerIdOf(ctx.actor)
  if (found === null || !seesCloud(ctx.actor, found.cloud.name) || !(isOwn || found.isShared))
    throw new ServiceError('not_found', `There is no view ${id}. Reload the page.`, { field: 'id' })
  if (!isOwn) requireSharing(ctx)
  return found
}

/** A person has each name once. */
export const refuseTakenName = async (
  prisma: Connection['prisma'],
  { cloudId, ownerId, name, id }: { cloudId: number; ownerId: string; name: string; id: number | null },
): Promise<void> => {
  const others = id === null ? {} : { id: { not: id } }
  if ((await prisma.savedView.count({ where: { cloudId, ownerId, name, ...others } })) === 0) return
  throw new ServiceError('conflict', `You already have a view named "${name}". Choose another name.`, {
    field: 'name',
  })
}
