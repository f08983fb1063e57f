import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Figure, NEVER_KNOWN, type Slot } from './figures'
import { decodeSlots, encodeSlots } from './slot-codec'

const HOUR = 3_600_000
const count = fc.integer({ min: 0, max: 2_560_000 })

const figures = (ms: number): fc.Arbitrary<Figure> =>
  ms === 0
    ? fc.constant(NEVER_KNOWN)
    : fc.option(
        fc
          .record({ a: count, b: count, knownMs: fc.integer({ min: 1, max: ms }) })
          .map(({ a, b, knownMs }) => {
            const [min, max] = [Math.min(a, b), Math.max(a, b)]
            // An average that hundredths hold.
            return { knownMs, min, max, integral: Math.round(((min + max) / 2) * knownMs) }
          }),
        { nil: NEVER_KNOWN },
      )

const slots = fc
  .tuple(fc.integer({ min: 0, max: HOUR }), fc.integer({ min: 0, max: HOUR }))
  .chain(([knownMs, gapMs]) =>
    fc.record({
      knownMs: fc.constant(knownMs),
      gapMs: fc.constant(gapMs),
      capacity: figures(knownMs),
      used: figures(knownMs),
      spare: figures(knownMs),
      orphan: figures(knownMs),
      stranded: figures(knownMs),
      unseen: figures(knownMs + gapMs),
    }),
  )

test('what is encoded comes back', () => {
  fc.assert(
    fc.property(fc.array(fc.option(slots), { minLength: 24, maxLength: 31 }), (row) => {
      expect(decodeSlots(encodeSlots(row), row.length)).toEqual(row)
    }),
  )
})

test('an average is rounded to hundredths once and not again', () => {
  const third: Figure = { knownMs: HOUR, min: 0, max: 1, integral: HOUR / 3 }
  const slot: Slot = {
    knownMs: HOUR,
    gapMs: 0,
    capacity: third,
    used: third,
    spare: third,
    orphan: NEVER_KNOWN,
    stranded: NEVER_KNOWN,
    unseen: NEVER_KNOWN,
  }
  const once = decodeSlots(encodeSlots([slot]), 1)
  expect(once[0]?.used.integral).toBe(0.33 * HOUR)
  expect(decodeSlots(encodeSlots(once), 1)).toEqual(once)
})

test('a day in which nothing moves costs few bytes', () => {
  const figure = (value: number): Figure => ({
    knownMs: HOUR,
    min: value,
    max: value,
    integral: value * HOUR,
  })
  const slot: Slot = {
    knownMs: HOUR,
    gapMs: 0,
    capacity: figure(960_000),
    used: figure(700_000),
    spare: figure(0),
    orphan: figure(12),
    stranded: figure(0),
    unseen: figure(0),
  }
  expect(encodeSlots(Array.from({ length: 24 }, () => slot)).length).toBeLessThan(60)
})
