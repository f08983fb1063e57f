import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import { loadRolledSlots } from './load-rolled-slots'

const FIRST_DAY = statement(`
SELECT min(begin)::text AS begin FROM capacity_roll_up WHERE cloud_id = $1 AND step = 'day' AND dimension = 'all'`)

/** The begin of the first day of which the roll-ups of a cloud know anything, in ms; null: there is none yet. */
export const firstKnown = async (query: Query, cloudId: number): Promise<number | null> => {
  const [month] = await query(FIRST_DAY, [cloudId], uncheckedRow<{ begin: string | null }>())
  if (!month?.begin) return null
  const from = Date.parse(`${month.begin}T00:00Z`)
  const range = { cloudId, step: 'day', from, until: from + 31 * DAY_MS } as const
  const slots = (await loadRolledSlots(query, range, { dimension: 'all', keys: null })).get('')
  return from + Math.max(slots?.findIndex((slot) => slot !== null) ?? 0, 0) * DAY_MS
}
