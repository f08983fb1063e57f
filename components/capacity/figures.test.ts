import { expect, test } from 'vitest'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'
import { figuresOf } from './figures'

const series = (words: Partial<CapacitySeries>): CapacitySeries => ({
  key: '',
  label: '',
  capacity: [10, 12, null],
  capacityMax: [10, 12, null],
  used: [null, 4, null],
  usedMin: [null, 4, null],
  usedMax: [null, 7, null],
  spare: [0, 0, null],
  orphan: [0, 0, null],
  stranded: [0, 2, null],
  unseen: [0, 0, 12],
  end: { capacity: 12, used: 5, stranded: 2, unseen: 12, growth: 1 },
  ...words,
})

test('counts what stood at the end, and where the most was used', () => {
  expect(figuresOf(series({}))).toEqual({
    capacity: 12,
    used: 5,
    average: 4,
    stranded: 2,
    unseen: 12,
    peak: 7,
    peakPlace: 1,
    growth: 1,
  })
  expect(figuresOf(series({ used: [3, 4, 9], usedMax: [5, 5, 9] }))).toMatchObject({
    peak: 9,
    peakPlace: 2,
  })
})

test('of what was never known nothing is told', () => {
  const none = [null, null, null]
  const end = { capacity: null, used: null, stranded: null, unseen: null, growth: null }
  expect(figuresOf(series({ capacity: none, used: none, usedMax: none, end }))).toMatchObject({
    capacity: null,
    used: null,
    peak: null,
    peakPlace: null,
    growth: null,
  })
})
