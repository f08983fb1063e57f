import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { HOST_NAME_PATTERN } from '@/lib/schemas/agent/host-name'
import type { RemovedHost } from '@/lib/schemas/api/host-removal'
import type { Query } from '@/lib/server/database/database'

const LIST = `
SELECT h.id, h.name, h.removed_at AS "removedAt", h.removed_by AS "removedBy", h.removed_reason AS reason,
  h.seen_at AS "lastSeenAt", h.gpu_count AS "gpuCount", m.name AS "mergedInto"
FROM host h LEFT JOIN host m ON m.id = h.merged_into_id
WHERE h.cloud_id = $1 AND h.removed_at IS NOT NULL ORDER BY h.removed_at DESC, h.id DESC`

type Row = Pick<RemovedHost, 'id' | 'name' | 'gpuCount' | 'mergedInto'> & {
  removedAt: Date
  removedBy: string
  reason: string
  lastSeenAt: Date | null
}

/** A new host of the same name renames the removed one to a name that no host can have. */
export const renamedRemoved = (name: string, { id, at }: { id: number; at: Date }): string =>
  `${name} (removed ${at.toISOString().slice(0, 10)}, ${id})`

/** Why a removed host cannot be restored; null: it can. */
export const restoreRefusalOf = (name: string): string | null =>
  HOST_NAME_PATTERN.test(name)
    ? null
    : 'Another host has enrolled under this name. Merge this host with that one to continue its history.'

export const listRemovedRows = async (query: Query, cloudId: number): Promise<RemovedHost[]> =>
  (await query(LIST, [cloudId], uncheckedRow<Row>())).map((row) => ({
    ...row,
    removedAt: row.removedAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    restoreRefusal: restoreRefusalOf(row.name),
  }))

const NAMES = 'SELECT name FROM host WHERE cloud_id = $1 AND removed_at IS NOT NULL ORDER BY name'

/** Names of the removed hosts of a cloud. */
export const loadRemovedNames = async (query: Query, cloudId: number): Promise<string[]> =>
  (await query(NAMES, [cloudId], uncheckedRow<{ name: string }>())).map(({ name }) => name)
