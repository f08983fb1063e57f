import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToTotals, emptyTotals, mergeTotals, type PgpuCounts } from './totals'

const unknownSums = {
  capacity: null,
  used: null,
  spare: null,
  orphan: null,
  returning: null,
  creatable: null,
  locked: null,
}

const counts: PgpuCounts = { capacity: 12, used: 6, spare: 2, orphan: 1, returning: 1, creatable: 2 }

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
    used: 12,
    spare: 4,
    orphan: 2,
    returning: 2,
    creatable: 4,
    locked: 2,
    unknown: 0,
  })
})

test('a pGPU on a silent host is counted as unknown and its sums are unknown, not 0', () => {
  expect(totalsOf([{ counts, isSilent: true }])).toEqual({ ...unknownSums, pgpus: 1, unknown: 1 })
})

test('a pGPU whose use is unknown adds no capacity either', () => {
  expect(totalsOf([{ counts: { ...counts, used: null }, isSilent: false }])).toEqual({
    ...unknownSums,
    pgpus: 1,
    unknown: 1,
  })
})

test('an unknown count of returning mdevs leaves the other numbers in', () => {
  expect(totalsOf([{ counts: { ...counts, returning: null }, isSilent: false }])).toMatchObject({
    capacity: 12,
    used: 6,
    returning: null,
    unknown: 1,
  })
})

test('some unknown pGPUs leave the sum of the known ones', () => {
  const cards = [
    { counts, isSilent: true },
    { counts, isSilent: false },
  ]
  for (const order of [cards, cards.toReversed()])
    expect(totalsOf(order)).toMatchObject({ pgpus: 2, capacity: 12, used: 6, locked: 1, unknown: 1 })
})

test('the sums over no pGPU are 0', () => {
  expect(totalsOf([])).toMatchObject({ pgpus: 0, capacity: 0, used: 0, locked: 0, unknown: 0 })
})

test('a driver that offers more than its maximum leaves, or a card that holds more, still adds up', () => {
  const offering = { counts: { ...counts, creatable: 12 }, isSilent: false }
  expect(totalsOf([offering])).toMatchObject({ capacity: 12, creatable: 3, locked: 0 })
  const overfull = { counts: { ...counts, capacity: 4 }, isSilent: false }
  expect(totalsOf([overfull])).toMatchObject({ capacity: 9, creatable: 0, locked: 0 })
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

test('capacity = used + spare + orphan + free + locked, and a sum is unknown just when no pGPU is known', () => {
  fc.assert(
    fc.property(fc.array(anyCard), (cards) => {
      const { capacity, used, spare, orphan, creatable, locked, pgpus, unknown } = totalsOf(cards)
      const parts = [used, spare, orphan, creatable, locked]
      if (capacity === null) expect([parts.every((part) => part === null), unknown]).toEqual([true, pgpus])
      else expect(parts.reduce<number>((sum, part) => sum + (part ?? Number.NaN), 0)).toBe(capacity)
      for (const part of parts) expect(part ?? 0).toBeGreaterThanOrEqual(0)
      if (cards.length === 0) expect(capacity).toBe(0)
    }),
  )
})
