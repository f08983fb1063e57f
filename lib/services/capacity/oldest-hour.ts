import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'

const OLDEST_HOUR = statement(`
SELECT min(begin)::text AS begin FROM capacity_roll_up WHERE cloud_id = $1 AND step = 'hour' AND dimension = 'all'`)

/** The begin of the first day of which hours are kept, in ms; null: there is none. */
export const oldestHour = async (query: Query, cloudId: number): Promise<number | null> => {
  const [oldest] = await query(OLDEST_HOUR, [cloudId], uncheckedRow<{ begin: string | null }>())
  return oldest?.begin ? Date.parse(`${oldest.begin}T00:00Z`) : null
}
