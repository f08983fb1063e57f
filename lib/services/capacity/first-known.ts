import 'server-only'
import * as z from 'zod'
import { DAY_MS } from '@/lib/domain/history/series'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import { loadRolledSlots } from './load-rolled-slots'

// SQL: the history, which a replica may answer.
const FIRST_PAGE = statement(`
SELECT min(begin)::text AS begin FROM capacity_roll_up WHERE cloud_id = $1 AND step = $2 AND dimension = 'all'`)
const pageRow = z.object({ begin: z.string().nullable() })

const firstPage = async (query: Query, cloudId: number, step: 'hour' | 'day'): Promise<number | null> => {
  const [page] = await query(FIRST_PAGE, [cloudId, step], pageRow)
  return page?.begin ? Date.parse(`${page.begin}T00:00Z`) : null
}

/** The begin of the first day of which hours are kept, in ms; null: there is none. */
export const oldestHour = (query: Query, cloudId: number): Promise<number | null> =>
  firstPage(query, cloudId, 'hour')

/** The begin of the first day of which the roll-ups of a cloud know anything, in ms; null: there is none yet. */
export const firstKnown = async (query: Query, cloudId: number): Promise<number | null> => {
  const from = await firstPage(query, cloudId, 'day')
  if (from === null) return null
  const range = { cloudId, step: 'day', from, until: from + 31 * DAY_MS } as const
  const slots = (await loadRolledSlots(query, range, { dimension: 'all', keys: null })).get('')
  return from + Math.max(slots?.findIndex((slot) => slot !== null) ?? 0, 0) * DAY_MS
}
