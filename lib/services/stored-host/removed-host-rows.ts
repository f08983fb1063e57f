import 'server-only'
import { HOST_NAME_PATTERN } from '@/lib/schemas/agent/host-name'
import type { RemovedHost } from '@/lib/schemas/api/host-removal'
import type { PrismaConnection } from '@/lib/server/database/database'

/** A new host of the same name renames the removed one to a name that no host can have. */
export const renamedRemoved = (name: string, { id, at }: { id: number; at: Date }): string =>
  `${name} (removed ${at.toISOString().slice(0, 10)}, ${id})`

/** Why a removed host cannot be restored; null: it can. */
export const restoreRefusalOf = (name: string): string | null =>
  HOST_NAME_PATTERN.test(name)
    ? null
    : 'Another host has enrolled under this name. Merge this host with that one to continue its history.'

export const listRemovedRows = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<RemovedHost[]> => {
  const rows = await prisma.host.findMany({
    where: { cloudId, removedAt: { not: null } },
    select: {
      id: true,
      name: true,
      removedAt: true,
      removedBy: true,
      removedReason: true,
      seenAt: true,
      gpuCount: true,
      mergedInto: { select: { name: true } },
    },
    orderBy: [{ removedAt: 'desc' }, { id: 'desc' }],
  })
  return rows.flatMap(({ removedAt, ...row }) =>
    removedAt === null
      ? []
      : {
          id: row.id,
          name: row.name,
          removedAt: removedAt.toISOString(),
          removedBy: row.removedBy ?? '',
          reason: row.removedReason ?? '',
          lastSeenAt: row.seenAt?.toISOString() ?? null,
          gpuCount: row.gpuCount,
          mergedInto: row.mergedInto?.name ?? null,
          restoreRefusal: restoreRefusalOf(row.name),
        },
  )
}

/** Names of the removed hosts of a cloud. */
export const loadRemovedNames = async ({ prisma }: PrismaConnection, cloudId: number): Promise<string[]> => {
  const rows = await prisma.host.findMany({
    where: { cloudId, removedAt: { not: null } },
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ name }) => name)
}
