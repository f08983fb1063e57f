import 'server-only'
import type { Query } from './database'

type LockedTable =
  | 'api_token'
  | 'change'
  | 'cloud'
  | 'finding'
  | 'host'
  | 'join_token'
  | 'pending_enrollment'
  | 'quota_request'
  | 'saved_view'
  | 'scenario'
  | 'webhook'

/** Locks the row of this id until the transaction ends. SQL: Prisma's client has no row locks. */
export const lockRow = async (query: Query, table: LockedTable, id: number): Promise<void> => {
  await query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id])
}

/** Locks hosts by name. In the order of their ids, so that two transactions do not wait for each other. */
export const lockHostsByName = async (
  query: Query,
  { cloudId, names }: { cloudId: number; names: readonly string[] },
): Promise<void> => {
  await query(
    'SELECT 1 FROM host WHERE cloud_id = $1 AND name = ANY($2::text[]) ORDER BY id FOR NO KEY UPDATE',
    [cloudId, names],
  )
}
