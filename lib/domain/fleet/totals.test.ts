import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToTotals, emptyTotals, mergeTotals, type PgpuCounts } from './totals'

const counts: PgpuCounts = { capacity: 12, used: 7, spare: 2, orphan: 1, returning: 1, creatable: 3 }

const totalsOf = (cards: { counts: PgpuCounts; isSilent: boolean }[]) => {
  const totals = emptyTotals()
  for (const card of cards) addToTotals(totals, card.counts, card.isSilent)
  return totals
}

test('known pGPUs are summed', () => {
  const totals = totalsOf([
    { counts, isSilent: false },
    { counts, isSilent: false },
  ])
  expect(totals).toEqual({
    pgpus: 2,
    capacity: 24,
    used: 14,
    spare: 4,
    orphan: 2,
    returning: 2,
    creatable: 6,
    unknown: 0,
  })
})

test('a pGPU on a silent host is counted as unknown and left out of the sums', () => {
  expect(totalsOf([{ counts, isSilent: true }])).toEqual({ ...emptyTotals(), pgpus: 1, unknown: 1 })
})

test('a pGPU whose use is unknown adds no capacity either', () => {
  expect(totalsOf([{ counts: { ...counts, used: null }, isSilent: false }])).toEqual({
    ...emptyTotals(),
    pgpus: 1,
    unknown: 1,
  })
})

test('an unknown count of returning mdevs leaves the other numbers in', () => {
  expect(totalsOf([{ counts: { ...counts, returning: null }, isSilent: false }])).toMatchObject({
    capacity: 12,
    used: 7,
    returning: 0,
    unknown: 1,
  })
})

const anyNumber = fc.option(fc.nat(64), { nil: null })
const anyCard = fc.record({
  counts: fc.record({
    capacity: anyNumber,
    used: anyNumber,
    spare: anyNumber,
    orphan: anyNumber,
    returning: anyNumber,
    creatable: anyNumber,
  }),
  isSilent: fc.boolean(),
})

test('totals of two fleets add up to the totals of both together', () => {
  fc.assert(
    fc.property(fc.array(anyCard), fc.array(anyCard), (one, other) => {
      const [a, b, both] = [totalsOf(one), totalsOf(other), totalsOf([...one, ...other])]
      mergeTotals(a, b)
      expect(a).toEqual(both)
      expect(both.unknown).toBeLessThanOrEqual(both.pgpus)
    }),
  )
})
