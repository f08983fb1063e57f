import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ToldAliases } from '@/lib/domain/cloud/api-aliases'
import { parseAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import type { Query } from '@/lib/server/database/database'

const LOAD = `SELECT text, told_by AS "by", told_at AS "at" FROM api_alias WHERE cloud_id = $1`

type Row = { text: string; by: string; at: Date }

/** The lines that an admin pasted, as they stand; null: nobody has. */
export const loadToldText = async (query: Query, cloudId: number): Promise<Row | null> =>
  (await query(LOAD, [cloudId], uncheckedRow<Row>()))[0] ?? null

/** What an admin told of the aliases of Nova's API; null: nothing. */
export const loadToldAliases = async (query: Query, cloudId: number): Promise<ToldAliases | null> => {
  const row = await loadToldText(query, cloudId)
  const aliases = row === null ? null : parseAliasLines(row.text).aliases
  return row === null || aliases === null ? null : { aliases, by: row.by, at: row.at.toISOString() }
}
