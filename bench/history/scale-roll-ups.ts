import { FIGURES, type Figure, type Slot } from '@/lib/domain/history/figures'
import { decodeSlots, encodeSlots } from '@/lib/domain/history/slot-codec'
import type { Database } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { anyRow } from '@/lib/server/testing/any-row'
import { DAYS_OF_MONTH, HOURS_OF_DAY } from '@/lib/services/history/roll-up-rows'

export const LARGE_CLOUD = 'large'

type Row = { step: string; dimension: string; key: string; begin: string; slots: Uint8Array }

const LOAD = `SELECT step, dimension, key, begin::text AS begin, slots FROM capacity_roll_up WHERE cloud_id = $1`
const STORE = `
INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots)
SELECT $1, r.step, r.dimension, r.key, r.begin, decode(r.slots, 'hex')
FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::text[]) AS r (step, dimension, key, begin, slots)`

const scaled = (figure: Figure, by: number): Figure => ({
  knownMs: figure.knownMs,
  integral: Math.round(figure.integral * by),
  min: figure.min === null ? null : Math.round(figure.min * by),
  max: figure.max === null ? null : Math.round(figure.max * by),
})

const scaledSlot = (slot: Slot, by: number): Slot => {
  const figures = Object.fromEntries(
    [...FIGURES, 'unseen' as const].map((name) => [name, scaled(slot[name], by)]),
  ) as Pick<Slot, (typeof FIGURES)[number] | 'unseen'>
  return { knownMs: slot.knownMs, gapMs: slot.gapMs, ...figures }
}

/** The roll-ups of a fleet that is `by` times as large, as a separate cloud: their rows are one for each group of any size. */
export const addLargeFleet = async (database: Database, cloudId: number, by: number): Promise<void> => {
  const { query } = database
  const [made] = await query(
    `INSERT INTO cloud (name) VALUES ($1) RETURNING id`,
    [LARGE_CLOUD],
    anyRow<{ id: number }>(),
  )
  const rows = await query(LOAD, [cloudId], anyRow<Row>())
  const hexes = rows.map(({ step, slots }) => {
    const known = decodeSlots(slots, step === 'hour' ? HOURS_OF_DAY : DAYS_OF_MONTH)
    return Buffer.from(encodeSlots(known.map((slot) => slot && scaledSlot(slot, by)))).toString('hex')
  })
  await query(STORE, [
    made?.id,
    pgArray(rows.map(({ step }) => step)),
    pgArray(rows.map(({ dimension }) => dimension)),
    pgArray(rows.map(({ key }) => key)),
    pgArray(rows.map(({ begin }) => begin)),
    pgArray(hexes),
  ])
  await query(
    'INSERT INTO roll_up (cloud_id, until, version) SELECT $1, until, 1 FROM roll_up WHERE cloud_id = $2',
    [made?.id, cloudId],
  )
  await query(
    'INSERT INTO roll_up_label (cloud_id, dimension, key, label) SELECT $1, dimension, key, label FROM roll_up_label WHERE cloud_id = $2',
    [made?.id, cloudId],
  )
  await query('ANALYZE')
}
