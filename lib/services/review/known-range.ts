import 'server-only'
import * as z from 'zod'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { decodeSlots } from '@/lib/domain/history/slot-codec'
import type { Period } from '@/lib/domain/review/period'
import type { Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import { DAYS_OF_MONTH } from '@/lib/services/history/roll-up-rows'

/** Of which time a cloud's roll-ups are; ms. */
export type KnownRange = {
  /** The first day of which anything is known. */
  from: number
  /** Whole hours are rolled up until here, as far as nothing that came late waits. */
  until: number
  /** Hours are kept from here on; before it days alone are. */
  hoursFrom: number
}

// SQL: minima of three tables in one statement, and DATE columns as text.
const LOOK = `
SELECT r.until, (SELECT min(at) FROM roll_up_mark WHERE cloud_id = $1) AS mark,
  (SELECT min(begin)::text FROM capacity_roll_up WHERE cloud_id = $1 AND step = 'hour' AND dimension = 'all') AS hours
FROM roll_up r WHERE r.cloud_id = $1`
const lookRow = z.object({ until: z.date(), mark: z.date().nullable(), hours: z.string().nullable() })

const FIRST_MONTH = `
SELECT begin::text AS begin, slots FROM capacity_roll_up
WHERE cloud_id = $1 AND step = 'day' AND dimension = 'all' ORDER BY capacity_roll_up.begin LIMIT 1`
const monthRow = z.object({ begin: z.string(), slots: bytesColumn })

/** Null: nothing is rolled up yet. */
export const loadKnownRange = async (query: Query, cloudId: number): Promise<KnownRange | null> => {
  const [look] = await query(LOOK, [cloudId], lookRow)
  const [month] = await query(FIRST_MONTH, [cloudId], monthRow)
  if (look === undefined || look.hours === null || month === undefined) return null
  const day = decodeSlots(month.slots, DAYS_OF_MONTH).findIndex((slot) => slot !== null)
  const until = Math.min(look.until.getTime(), look.mark?.getTime() ?? Number.POSITIVE_INFINITY)
  return {
    from: Date.parse(`${month.begin}T00:00Z`) + Math.max(day, 0) * DAY_MS,
    until: Math.floor(until / HOUR_MS) * HOUR_MS,
    hoursFrom: Date.parse(`${look.hours}T00:00Z`),
  }
}

/** Whether the hours of a period are kept, or it had none before those that are. */
export const isRetained = ({ from }: Pick<Period, 'from'>, known: KnownRange): boolean =>
  Math.max(from, known.from) >= known.hoursFrom
