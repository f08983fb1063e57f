import { emptySlot, type Figure, type Slot } from '@/lib/domain/history/figures'
import { DAY_MS } from '@/lib/domain/history/series'
import { encodeSlots } from '@/lib/domain/history/slot-codec'
import type { Database } from '@/lib/server/database/database'
import { DAYS_OF_MONTH } from '@/lib/services/history/roll-up-rows'

export type WrittenGroup = {
  dimension: string
  key: string
  /** Used and capacity, day by day; null: unknown. */
  days: readonly ({ used: number; capacity: number } | null)[]
}

const STORE = `
INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots) VALUES ($1, 'day', $2, $3, $4::date, decode($5, 'hex'))`
const LABEL = `INSERT INTO roll_up_label (cloud_id, dimension, key, label) VALUES ($1, $2, $3, $4)`
const UNTIL = `
INSERT INTO roll_up (cloud_id, until) VALUES ($1, $2) ON CONFLICT (cloud_id) DO UPDATE SET until = excluded.until`

const figure = (value: number): Figure => ({
  knownMs: DAY_MS,
  integral: value * DAY_MS,
  min: value,
  max: value,
})

const slotOf = ({ used, capacity }: { used: number; capacity: number }): Slot => ({
  ...emptySlot({ knownMs: DAY_MS, isHeld: false }),
  used: figure(used),
  capacity: figure(capacity),
})

/** Day roll-ups of groups from a day on, as if the history had been so; `from` and `until` in ms, whole days. */
export const writeDays = async (
  { query }: Database,
  {
    cloudId,
    from,
    until,
    groups,
  }: { cloudId: number; from: number; until: number; groups: readonly WrittenGroup[] },
): Promise<void> => {
  for (const { dimension, key, days } of groups) {
    const months = new Map<string, (Slot | null)[]>()
    for (const [index, day] of days.entries()) {
      const at = new Date(from + index * DAY_MS)
      const month = `${at.toISOString().slice(0, 7)}-01`
      const slots = months.get(month) ?? new Array<Slot | null>(DAYS_OF_MONTH).fill(null)
      months.set(month, slots)
      slots[at.getUTCDate() - 1] = day === null ? null : slotOf(day)
    }
    for (const [month, slots] of months)
      await query(STORE, [cloudId, dimension, key, month, Buffer.from(encodeSlots(slots)).toString('hex')])
    await query(LABEL, [cloudId, dimension, key, key.toUpperCase()])
  }
  await query(UNTIL, [cloudId, new Date(until)])
}
