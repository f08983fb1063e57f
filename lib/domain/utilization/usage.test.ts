import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctSamples, mergeSamples, type Sample } from './sample'
import { decodePage, encodePage, PAGE_FORMS } from './usage-codec'
import { joinUsage, type Stat, type UsageSlot } from './usage-slot'

const stat = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 1440 }))
  .map(([a, b, c, count]): Stat => {
    const [min = 0, middle = 0, max = 0] = [a, b, c].sort((x, y) => x - y)
    const average = min === max ? min : Math.min(max, middle + 0.3)
    return { count, min, average, max }
  })
const slot: fc.Arbitrary<UsageSlot> = fc.record({
  utilization: fc.option(stat, { nil: null }),
  usedMib: fc.option(
    stat.map((one) => ({ ...one, average: Math.round(one.average) })),
    { nil: null },
  ),
  totalMib: fc.option(fc.nat(200_000), { nil: null }),
})

test('a page comes back as it was', () => {
  const series = fc.array(fc.option(slot, { nil: null }), { minLength: 24, maxLength: 24 })
  fc.assert(
    fc.property(fc.array(series, { maxLength: 4 }), (pages) => {
      const stored = pages.map((slots, index) => ({ id: index * 7 + 3, slots }))
      const bytes = encodePage(stored, { parts: PAGE_FORMS.series })
      expect(decodePage(bytes, { length: 24, parts: PAGE_FORMS.series })).toEqual(stored)
      const some = new Set([10, 17])
      expect(decodePage(bytes, { length: 24, parts: PAGE_FORMS.series }, some)).toEqual(
        stored.filter(({ id }) => some.has(id)),
      )
    }),
  )
})

test('spans are joined by their samples, and a gap adds nothing', () => {
  const of = (average: number, count: number): UsageSlot => ({
    utilization: { count, min: average, average, max: average },
    usedMib: null,
    totalMib: null,
  })
  expect(joinUsage([null, of(10, 60), undefined, of(40, 30)])?.utilization).toEqual({
    count: 90,
    min: 10,
    average: 20,
    max: 40,
  })
  expect(joinUsage([null, null])).toBeNull()
})

const AT = Date.parse('2026-11-21T10:00:20Z')
const sample = (at: number, utilization: number): Sample => ({
  at,
  readings: [
    { address: '0000:61:00.0', vgpu: null, guest: null, utilization, usedMib: null, totalMib: null },
  ],
})

test('of two samples of a minute the later one counts, in any order they come', () => {
  const [early, late, next] = [sample(AT, 90), sample(AT + 10_000, 20), sample(AT + 60_000, 5)]
  expect(mergeSamples([next, late, early, late])).toEqual([late, next])
  expect(mergeSamples([sample(AT, 3), sample(AT, 70)])).toEqual(mergeSamples([sample(AT, 70), sample(AT, 3)]))
})

test('a clock that is off is corrected by whole minutes, and the way of a message by none', () => {
  const offBy = (ms: number) =>
    correctSamples([sample(AT + ms, 1)], { sentAt: AT + 5000 + ms, receivedAt: AT + 5000 })[0]?.at
  expect(offBy(600_000)).toBe(AT)
  expect(offBy(-600_000)).toBe(AT)
  expect(offBy(-20_000)).toBe(AT - 20_000)
  expect(correctSamples([sample(AT + 120_000, 1)], { sentAt: null, receivedAt: AT })).toEqual([])
})
