import 'server-only'
import type { Slot } from '@/lib/domain/history/figures'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { decodeSlots } from '@/lib/domain/history/slot-codec'
import type { Query } from '@/lib/server/database/database'
import { DAYS_OF_MONTH, HOURS_OF_DAY } from '@/lib/services/history/roll-up-rows'
import { pgArray } from '@/lib/services/report/pg-array'

const LOAD = `
SELECT key, to_char(begin, 'YYYY-MM-DD') AS begin, slots FROM capacity_roll_up
WHERE cloud_id = $1 AND step = $2 AND dimension = $3 AND begin >= $4::date AND begin < $5::date
  AND ($6::text[] IS NULL OR key = ANY($6::text[]))`

const NEWEST = `
SELECT DISTINCT ON (key) key, slots FROM capacity_roll_up
WHERE cloud_id = $1 AND step = $2 AND dimension = $3 AND begin >= $4::date AND begin < $5::date
ORDER BY key, capacity_roll_up.begin DESC`

export type RolledRange = {
  cloudId: number
  step: 'hour' | 'day'
  /** Whole steps; ms. */
  from: number
  until: number
}
type Slots = (Slot | null)[]

const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The first page in which the range's begin may lie. */
const firstPage = ({ step, from }: RolledRange): string => {
  const at = new Date(from)
  return step === 'hour' ? dateOf(at) : dateOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())))
}

const paramsOf = (range: RolledRange, dimension: string): unknown[] => [
  range.cloudId,
  range.step,
  dimension,
  firstPage(range),
  // The day after the last moment.
  dateOf(new Date(range.until - 1 + DAY_MS)),
]

/** The slots of each group of a dimension, hour by hour or day by day from the range's begin; `keys` null: of all of them. */
export const loadRolledSlots = async (
  query: Query,
  range: RolledRange,
  { dimension, keys }: { dimension: string; keys: readonly string[] | null },
): Promise<Map<string, Slots>> => {
  const { step, from, until } = range
  const [unitMs, length] = step === 'hour' ? [HOUR_MS, HOURS_OF_DAY] : [DAY_MS, DAYS_OF_MONTH]
  const count = Math.round((until - from) / unitMs)
  const params = [...paramsOf(range, dimension), keys && pgArray(keys)]
  const groups = new Map<string, Slots>()
  for (const row of await query<{ key: string; begin: string; slots: Uint8Array }>(LOAD, params)) {
    const slots = groups.get(row.key) ?? new Array<null>(count).fill(null)
    groups.set(row.key, slots)
    const offset = Math.round((Date.parse(`${row.begin}T00:00Z`) - from) / unitMs)
    for (const [place, slot] of decodeSlots(row.slots, length).entries())
      if (slot !== null && offset + place >= 0 && offset + place < count) slots[offset + place] = slot
  }
  return groups
}

/** The keys of a dimension within the range, those with the most vGPUs at the end first. */
export const loadKeys = async (query: Query, range: RolledRange, dimension: string): Promise<string[]> => {
  const length = range.step === 'hour' ? HOURS_OF_DAY : DAYS_OF_MONTH
  const rows = await query<{ key: string; slots: Uint8Array }>(NEWEST, paramsOf(range, dimension))
  const sizeOf = (slots: Uint8Array): number => {
    const last = decodeSlots(slots, length).findLast((slot) => slot !== null)
    return last?.capacity.max ?? last?.used.max ?? last?.unseen.max ?? 0
  }
  return rows
    .map(({ key, slots }) => ({ key, size: sizeOf(slots) }))
    .toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}
