import 'server-only'
import * as z from 'zod'
import { HOST_NAME_PATTERN } from '@/lib/schemas/agent/host-name'
import type { RemovedHost } from '@/lib/schemas/api/host-removal'
import type { Connection, Query } from '@/lib/server/database/database'

/** A new host of the same name renames the removed one to a name that no host can have. */
export const renamedRemoved = (name: string, { id, at }: { id: number; at: Date }): string =>
  `${name} (removed ${at.toISOString().slice(0, 10)}, ${id})`

/** Why a removed host cannot be restored; null: it can. */
export const restoreRefusalOf = (name: string): string | null =>
  HOST_NAME_PATTERN.test(name)
    ? null
    : 'Another host has enrolled under this name. Merge this host with that one to continue its history.'

export const listRemovedRows = async (
  { prisma }: Pick<Connection, 'prisma'>,
  cloudId: number,
): Promise<RemovedHost[]> => {
  const rows = await prisma.host.findMany({
    where: { cloudId, removedAt: { not: null } },
    include: { mergedInto: { select: { name: true } } },
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

const NAMES = 'SELECT name FROM host WHERE cloud_id = $1 AND removed_at IS NOT NULL ORDER BY name'
const nameRow = z.object({ name: z.string() })

/** Names of the removed hosts of a cloud. */
export const loadRemovedNames = async (query: Query, cloudId: number): Promise<string[]> =>
  (await query(NAMES, [cloudId], nameRow)).map(({ name }) => name)
