import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { QuotaDriver, ToldDriver } from '@/lib/domain/cloud/known-driver'
import type { Query } from '@/lib/server/database/database'

const LOAD = `SELECT driver, told_by AS "by", told_at AS "at" FROM quota_driver WHERE cloud_id = $1`

type Row = { driver: QuotaDriver; by: string; at: Date }

/** What an admin answered of the quota driver of Nova's API; null: nobody has. */
export const loadToldDriver = async (query: Query, cloudId: number): Promise<ToldDriver | null> => {
  const [row] = await query(LOAD, [cloudId], uncheckedRow<Row>())
  return row === undefined ? null : { ...row, at: row.at.toISOString() }
}
