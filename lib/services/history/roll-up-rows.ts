import 'server-only'
import * as z from 'zod'
import type { Slot } from '@/lib/domain/history/figures'
import { decodeSlots, encodeSlots } from '@/lib/domain/history/slot-codec'
import type { RollUpStep } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { bytesColumn } from '@/lib/server/database/row'

export const HOURS_OF_DAY = 24
export const DAYS_OF_MONTH = 31

/** Rows of hours begin with a day, rows of days with a month. */
export type Page = { cloudId: number; step: RollUpStep; begin: Date }
type Slots = (Slot | null)[]
/** By dimension and key, with a space between them: no dimension has one. */
type Rows = ReadonlyMap<string, Slots>

// SQL: pages of groups are written and removed with unnest.
const LOAD = `
SELECT dimension, key, slots FROM capacity_roll_up WHERE cloud_id = $1 AND step = $2 AND begin = $3::date`

const STORE = `
INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots)
SELECT $1, $2, r.dimension, r.key, $3::date, decode(r.slots, 'hex')
FROM unnest($4::text[], $5::text[], $6::text[]) AS r (dimension, key, slots)
ON CONFLICT (cloud_id, step, dimension, begin, key) DO UPDATE SET slots = excluded.slots`

const REMOVE = `
DELETE FROM capacity_roll_up c USING unnest($4::text[], $5::text[]) AS r (dimension, key)
WHERE c.cloud_id = $1 AND c.step = $2 AND c.begin = $3::date AND c.dimension = r.dimension AND c.key = r.key`

const storedRow = z.object({ dimension: z.string(), key: z.string(), slots: bytesColumn })

export const groupName = ({ dimension, key }: { dimension: string; key: string }): string =>
  `${dimension} ${key}`
const dimensionOf = (name: string): string => name.slice(0, name.indexOf(' '))
const keyOf = (name: string): string => name.slice(name.indexOf(' ') + 1)

const lengthOf = ({ step }: Page): number => (step === 'hour' ? HOURS_OF_DAY : DAYS_OF_MONTH)
const dateOf = ({ begin }: Page): string => begin.toISOString().slice(0, 10)

type Patch = {
  /** Possible rows in addition to the stored ones. */
  names: Iterable<string>
  /** False: nothing is written. */
  isRetained: boolean
  patch: (slots: Slots, name: string) => Slots
}

/**
 * Replaces slots of a page's rows and answers all of them as they then stand; what has no slot left goes. Only rows that
 * differ are written.
 */
export const patchPage = async (
  query: Query,
  page: Page,
  { names, isRetained, patch }: Patch,
): Promise<Rows> => {
  const key = [page.cloudId, page.step, dateOf(page)]
  const length = lengthOf(page)
  const before = new Map<string, Uint8Array>()
  for (const row of await query(LOAD, key, storedRow)) before.set(groupName(row), row.slots)
  const after = new Map<string, Slots>()
  const changed: { name: string; hex: string }[] = []
  const gone: string[] = []
  for (const name of new Set([...before.keys(), ...names])) {
    const stored = before.get(name)
    const known = stored === undefined ? new Array<null>(length).fill(null) : decodeSlots(stored, length)
    const slots = patch(known, name)
    if (slots.every((slot) => slot === null)) {
      if (stored !== undefined) gone.push(name)
      continue
    }
    const bytes = encodeSlots(slots)
    // As they are read back, so that what is made of them does not depend on when it is made.
    after.set(name, decodeSlots(bytes, length))
    const hex = Buffer.from(bytes).toString('hex')
    if (stored === undefined || Buffer.from(stored).toString('hex') !== hex) changed.push({ name, hex })
  }
  const columns = (list: readonly string[]) => [pgArray(list.map(dimensionOf)), pgArray(list.map(keyOf))]
  if (!isRetained) return after
  if (changed.length > 0) {
    const hexes = pgArray(changed.map(({ hex }) => hex))
    await query(STORE, [...key, ...columns(changed.map(({ name }) => name)), hexes])
  }
  if (gone.length > 0) await query(REMOVE, [...key, ...columns(gone)])
  return after
}
