import 'server-only'
import * as z from 'zod'
import { DAY_MS } from '@/lib/domain/history/series'
import { decodePage, encodePage, PAGE_FORMS } from '@/lib/domain/utilization/usage-codec'
import { joinUsage, type UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { RollUpStep } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'
import { squeeze, unsqueeze } from './page-rows'

type Slots = (UsageSlot | null)[]
const LENGTHS: Record<RollUpStep, number> = { hour: 24, day: 31 }
const { groups: parts } = PAGE_FORMS

/** By dimension and key, with a space between them: no dimension has one. */
export const usageGroupName = ({ dimension, key }: { dimension: string; key: string }): string =>
  `${dimension} ${key}`

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const monthOf = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth())

// SQL: whole pages of groups are written and removed with unnest, and dates are read as text.
const OF_PAGE = `
SELECT dimension, key, slots FROM utilisation_roll_up WHERE cloud_id = $1 AND step = $2 AND begin = $3::date`
const storedGroupRow = z.object({ dimension: z.string(), key: z.string(), slots: bytesColumn })

const STORE = `
INSERT INTO utilisation_roll_up (cloud_id, step, dimension, key, begin, slots)
SELECT $1, $2, r.dimension, r.key, $3::date, decode(r.slots, 'hex')
FROM unnest($4::text[], $5::text[], $6::text[]) AS r (dimension, key, slots)
ON CONFLICT (cloud_id, step, dimension, begin, key) DO UPDATE SET slots = excluded.slots
WHERE utilisation_roll_up.slots <> excluded.slots`

const CLEAR = `
DELETE FROM utilisation_roll_up r WHERE r.cloud_id = $1 AND r.step = $2 AND r.begin = $3::date
  AND NOT EXISTS (SELECT 1 FROM unnest($4::text[], $5::text[]) AS k (dimension, key)
    WHERE k.dimension = r.dimension AND k.key = r.key)`

type SlotKey = { cloudId: number; step: RollUpStep; begin: number }

/** Writes the groups of a page as they are given; others of that page go. */
const storePage = async (
  query: Query,
  { cloudId, step, begin }: SlotKey,
  groups: ReadonlyMap<string, Slots>,
) => {
  const names = [...groups.keys()]
  const params = [
    cloudId,
    step,
    dateOf(begin),
    pgArray(names.map((name) => name.slice(0, name.indexOf(' ')))),
    pgArray(names.map((name) => name.slice(name.indexOf(' ') + 1))),
  ]
  await query(CLEAR, params)
  const hexes = [...groups.values()].map((slots) => squeeze(encodePage([{ id: 0, slots }], { parts })))
  if (names.length > 0) await query(STORE, [...params, pgArray(hexes)])
}

const slotsOf = (stored: Uint8Array, step: RollUpStep): Slots =>
  decodePage(unsqueeze(stored), { length: LENGTHS[step], parts })[0]?.slots ?? []

/** Replaces the hours of all groups of a UTC day (`day`: its begin in ms), and the day that follows from them. */
export const storeGroupDay = async (
  query: Query,
  { cloudId, day, groups }: { cloudId: number; day: number; groups: ReadonlyMap<string, Slots> },
): Promise<void> => {
  await storePage(query, { cloudId, step: 'hour', begin: day }, groups)
  const month = monthOf(day)
  const stored = await query(OF_PAGE, [cloudId, 'day', dateOf(month)], storedGroupRow)
  const days = new Map(stored.map((row) => [usageGroupName(row), slotsOf(row.slots, 'day')]))
  const index = new Date(day).getUTCDate() - 1
  for (const slots of days.values()) slots[index] = null
  for (const [name, hours] of groups) {
    const slots = days.get(name) ?? new Array<null>(LENGTHS.day).fill(null)
    days.set(name, slots)
    slots[index] = joinUsage(hours)
  }
  const known = new Map([...days].filter(([, slots]) => slots.some((slot) => slot !== null)))
  await storePage(query, { cloudId, step: 'day', begin: month }, known)
}

const LOAD = `
SELECT key, to_char(begin, 'YYYY-MM-DD') AS begin, slots FROM utilisation_roll_up
WHERE cloud_id = $1 AND step = $2 AND dimension = $3 AND begin >= $4::date AND begin < $5::date
  AND ($6::text IS NULL OR key = $6)`
const groupSlotsRow = z.object({ key: z.string(), begin: z.string(), slots: bytesColumn })

/** The spans of each group of a dimension, by key, from `from` to `until` (ms, whole steps); `key` null: of all of them. */
export const loadGroupSlots = async (
  query: Query,
  {
    cloudId,
    step,
    dimension,
    key,
    from,
    until,
  }: {
    cloudId: number
    step: RollUpStep
    dimension: string
    key: string | null
    from: number
    until: number
  },
): Promise<Map<string, Slots>> => {
  const unitMs = step === 'hour' ? DAY_MS / 24 : DAY_MS
  const count = Math.round((until - from) / unitMs)
  const first = step === 'hour' ? Math.floor(from / DAY_MS) * DAY_MS : monthOf(from)
  const params = [cloudId, step, dimension, dateOf(first), dateOf(until - 1 + DAY_MS), key]
  const groups = new Map<string, Slots>()
  for (const row of await query(LOAD, params, groupSlotsRow)) {
    const slots = groups.get(row.key) ?? new Array<null>(count).fill(null)
    groups.set(row.key, slots)
    const offset = Math.round((Date.parse(`${row.begin}T00:00Z`) - from) / unitMs)
    for (const [index, slot] of slotsOf(row.slots, step).entries())
      if (slot !== null && offset + index >= 0 && offset + index < count) slots[offset + index] = slot
  }
  return groups
}
