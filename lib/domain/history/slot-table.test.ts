import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageOf, NEVER_KNOWN, type Slot } from './figures'
import { pointsOf, seriesColumns, seriesEnd } from './series'
import { decodeIntoTable, decodeSlots, encodeSlots } from './slot-codec'
import { emptyTable, tableOf } from './slot-table'

const HOUR = 3_600_000
const ms = fc.constantFrom(0, 60_000, HOUR / 2, HOUR)
const slot: fc.Arbitrary<Slot | null> = fc.option(
  fc
    .record({ known: ms, numbers: fc.array(fc.nat(40), { minLength: 12, maxLength: 12 }), gaps: fc.nat(63) })
    .map(({ known, numbers, gaps }) => {
      const figure = (index: number, max: number) => {
        const part = gaps & (1 << index) ? max / 2 : max
        const [min, range] = [numbers[2 * index] ?? 0, numbers[2 * index + 1] ?? 0]
        return part === 0
          ? NEVER_KNOWN
          : { knownMs: part, integral: (min + range / 4) * part, min, max: min + range }
      }
      return {
        knownMs: known,
        gapMs: HOUR - known,
        capacity: figure(0, known),
        used: figure(1, known),
        spare: figure(2, known),
        orphan: figure(3, known),
        stranded: figure(4, known),
        unseen: figure(5, HOUR),
      }
    }),
)
const slots = fc.array(slot, { minLength: 31, maxLength: 31 })
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10)

/** While no member of a group has data, all of it is unseen, and not in addition to known capacity. */
const unseenOf = ({ knownMs, ...point }: Slot, isHeld: boolean): number | null => {
  const [all, average] = [averageOf(point.unseen), averageOf(isHeld ? point.used : point.capacity)]
  const gapMs = point.unseen.knownMs - knownMs
  if (all === null || average === null || gapMs <= 0) return rounded(all)
  return rounded(Math.max(0, all - (average * gapMs) / point.unseen.knownMs))
}

test('a page in a table is what it is as slots, wherever it lies', () => {
  fc.assert(
    fc.property(slots, fc.integer({ min: -40, max: 40 }), (page, offset) => {
      const bytes = encodeSlots(page)
      const table = emptyTable(20)
      decodeIntoTable(bytes, page.length, { table, offset })
      const decoded = decodeSlots(bytes, page.length)
      const wanted = Array.from({ length: 20 }, (_, index) => decoded[index - offset] ?? null)
      expect(table).toEqual(tableOf(wanted))
    }),
  )
})

test('points of a table are those that its slots join to, one by one', () => {
  fc.assert(
    fc.property(slots, slots, fc.integer({ min: 1, max: 40 }), fc.boolean(), (own, fleet, per, isHeld) => {
      const points = pointsOf(own, { fleet, per, isHeld })
      const columns = seriesColumns(tableOf(own), { fleet: tableOf(fleet), per, isHeld })
      const averages = (name: 'capacity' | 'used' | 'spare' | 'orphan' | 'stranded') =>
        points.map((point) => rounded(averageOf(point[name])))
      const unseen = points.map((point) => unseenOf(point, isHeld))
      expect(columns).toEqual({
        capacity: averages('capacity'),
        capacityMax: points.map(({ capacity }) => capacity.max),
        used: averages('used'),
        usedMin: points.map(({ used }) => used.min),
        usedMax: points.map(({ used }) => used.max),
        spare: averages('spare'),
        orphan: averages('orphan'),
        stranded: averages('stranded'),
        unseen,
      })
    }),
  )
})

test('the value at the end of a table is the last known point of one slot', () => {
  fc.assert(
    fc.property(slots, slots, fc.boolean(), (own, fleet, isHeld) => {
      const points = pointsOf(own, { fleet, per: 1, isHeld })
      const last = (name: 'capacity' | 'used' | 'stranded') =>
        rounded(points.map((point) => averageOf(point[name])).findLast((value) => value !== null) ?? null)
      const terms = { fleet: tableOf(fleet), isHeld, begin: 0, end: own.length }
      expect(seriesEnd(tableOf(own), terms)).toMatchObject({
        capacity: last('capacity'),
        used: last('used'),
        stranded: last('stranded'),
        unseen: points.map((point) => unseenOf(point, isHeld)).findLast((value) => value !== null) ?? null,
      })
    }),
  )
})
