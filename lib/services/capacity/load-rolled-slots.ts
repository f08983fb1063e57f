import type { RollUpStep } from '@/lib/schemas/states'
import 'server-only'
import * as z from 'zod'
import type { Slot } from '@/lib/domain/history/figures'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { decodeIntoTable, decodeSlots } from '@/lib/domain/history/slot-codec'
import { emptyTable, type SlotTable } from '@/lib/domain/history/slot-table'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'
import { statement } from '@/lib/server/database/statement'
import { DAYS_OF_MONTH, HOURS_OF_DAY } from '@/lib/services/history/roll-up-rows'

// SQL: the history, which a replica may answer.
const LOAD = statement(`
SELECT key, to_char(begin, 'YYYY-MM-DD') AS begin, slots FROM capacity_roll_up
WHERE cloud_id = $1 AND step = $2 AND dimension = $3 AND begin >= $4::date AND begin < $5::date
  AND ($6::text[] IS NULL OR key = ANY($6::text[]))`)

const pageRow = z.object({ key: z.string(), begin: z.string(), slots: bytesColumn })
type PageRow = z.infer<typeof pageRow>

const NEWEST = statement(`
SELECT DISTINCT ON (key) key, slots FROM capacity_roll_up
WHERE cloud_id = $1 AND step = $2 AND dimension = $3 AND begin >= $4::date AND begin < $5::date
ORDER BY key, capacity_roll_up.begin DESC`)

export type RolledRange = {
  cloudId: number
  step: RollUpStep
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

const STEPS = { hour: [HOUR_MS, HOURS_OF_DAY], day: [DAY_MS, DAYS_OF_MONTH] } as const

type Wanted = { dimension: string; keys: readonly string[] | null }

const loadPages = (query: Query, range: RolledRange, { dimension, keys }: Wanted): Promise<PageRow[]> =>
  query(LOAD, [...paramsOf(range, dimension), keys && pgArray(keys)], pageRow)

/** A range in slots, and at which of them a page begins. */
const slotsOf = ({ step, from, until }: RolledRange) => {
  const [unitMs, length] = STEPS[step]
  const offsetOf = ({ begin }: PageRow): number => Math.round((Date.parse(`${begin}T00:00Z`) - from) / unitMs)
  return { count: Math.round((until - from) / unitMs), length, offsetOf }
}

/** The slots of each group of a dimension, hour by hour or day by day from the range's begin; `keys` null: of all of them. */
export const loadRolledSlots = async (
  query: Query,
  range: RolledRange,
  wanted: Wanted,
): Promise<Map<string, Slots>> => {
  const { count, length, offsetOf } = slotsOf(range)
  const groups = new Map<string, Slots>()
  for (const row of await loadPages(query, range, wanted)) {
    const slots = groups.get(row.key) ?? new Array<null>(count).fill(null)
    groups.set(row.key, slots)
    const offset = offsetOf(row)
    for (const [index, slot] of decodeSlots(row.slots, length).entries())
      if (slot !== null && offset + index >= 0 && offset + index < count) slots[offset + index] = slot
  }
  return groups
}

/** The same as tables, which a chart of many groups is made of sooner. */
export const loadRolledTables = async (
  query: Query,
  range: RolledRange,
  wanted: Wanted,
): Promise<Map<string, SlotTable>> => {
  const { count, length, offsetOf } = slotsOf(range)
  const groups = new Map<string, SlotTable>()
  for (const row of await loadPages(query, range, wanted)) {
    const table = groups.get(row.key) ?? emptyTable(count)
    groups.set(row.key, table)
    decodeIntoTable(row.slots, length, { table, offset: offsetOf(row) })
  }
  return groups
}

/** The keys of a dimension within the range, those with the most vGPUs at the end first. */
export const loadKeys = async (query: Query, range: RolledRange, dimension: string): Promise<string[]> => {
  const length = range.step === 'hour' ? HOURS_OF_DAY : DAYS_OF_MONTH
  const rows = await query(NEWEST, paramsOf(range, dimension), pageRow.omit({ begin: true }))
  const sizeOf = (slots: Uint8Array): number => {
    const last = decodeSlots(slots, length).findLast((slot) => slot !== null)
    return last?.capacity.max ?? last?.used.max ?? last?.unseen.max ?? 0
  }
  return rows
    .map(({ key, slots }) => ({ key, size: sizeOf(slots) }))
    .toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}
