import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barLabel, cellCounts, cellKindAt, cellTotal, rangeLabel } from './bar-cells'

const full = { capacity: 4, used: 2, spare: 1, orphan: 0, creatable: 1 }

test('a healthy card has one cell per vGPU of its capacity', () => {
  expect(cellCounts(full)).toEqual({ used: 2, spare: 1, orphan: 0, unknown: 0, free: 1, locked: 0 })
})

test('a place that the driver would not fill is locked', () => {
  expect(cellCounts({ ...full, creatable: 0 })).toMatchObject({ free: 0, locked: 1 })
})

test('vGPUs of guests that could not be read are unknown, not free', () => {
  const counts = cellCounts({ capacity: 4, used: null, spare: null, orphan: null, creatable: 1 })
  expect(counts).toEqual({ used: 0, spare: 0, orphan: 0, unknown: 3, free: 1, locked: 0 })
})

test('capacity that the driver does not report is unknown', () => {
  expect(cellCounts({ ...full, creatable: null })).toMatchObject({ unknown: 1, free: 0, locked: 0 })
})

test('without a capacity there is no bar', () => {
  expect(cellCounts({ ...full, capacity: null })).toBeNull()
})

test('more vGPUs than the driver reports as capacity stay visible', () => {
  const counts = cellCounts({ capacity: 2, used: 2, spare: 0, orphan: 1, creatable: 0 })
  expect(counts && cellTotal(counts)).toBe(3)
})

test('cells are in the order used, spare, orphan, unknown, free, locked', () => {
  const counts = cellCounts({ capacity: 5, used: 1, spare: 1, orphan: 1, creatable: 1 })
  const kinds = counts && [0, 1, 2, 3, 4, 5].map((index) => cellKindAt(counts, index))
  expect(kinds).toEqual(['used', 'spare', 'orphan', 'free', 'locked', null])
})

test('the text alternative names every kind that is drawn', () => {
  expect(barLabel(full)).toBe('2 of 4 vGPUs used, 1 spare, 1 free')
  expect(barLabel({ ...full, used: null })).toBe('use unknown, 1 spare, 2 unknown, 1 free')
  expect(barLabel({ capacity: 1, used: 1, spare: 0, orphan: 0, creatable: 0 })).toBe('1 of 1 vGPU used')
  expect(barLabel({ ...full, capacity: null })).toBe('number of vGPUs unknown')
})

test('a card without a type shows what its types allow', () => {
  expect(rangeLabel([1, 16])).toBe('1 to 16 vGPUs, no type yet')
  expect(rangeLabel([1, 1])).toBe('1 vGPU, no type yet')
})

test('a bar never has fewer cells than its capacity', () => {
  const number = fc.option(fc.nat(64), { nil: null })
  fc.assert(
    fc.property(
      fc.record({ capacity: fc.nat(64), used: number, spare: number, orphan: number, creatable: number }),
      (numbers) => {
        const counts = cellCounts(numbers)
        expect(counts && cellTotal(counts)).toBeGreaterThanOrEqual(numbers.capacity)
        for (const count of Object.values(counts ?? {})) expect(count).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

test('a card in PCI passthrough is no vGPU', () => {
  const free = { capacity: 1, used: 0, spare: 0, orphan: 0, creatable: 1 }
  expect(barLabel(free, true)).toBe('0 of 1 whole card used, 1 free')
})
