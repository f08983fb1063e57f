import { expect, test } from 'vitest'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'
import type { FleetTotals } from '@/lib/schemas/api/totals'
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
  peak: { used: 7, capacity: 10, at: '2026-11-21T10:00:00.000Z' },
  current: null,
  ...words,
})

test('counts the use at the end, and finds the peak', () => {
  expect(figuresOf(series({}))).toEqual({
    capacity: 12,
    used: 5,
    average: 4,
    stranded: 2,
    unseen: 12,
    peak: 7,
    peakCapacity: 10,
    peakIndex: 1,
    growth: 1,
  })
  expect(figuresOf(series({ used: [3, 4, 9], usedMax: [5, 5, 9] }))).toMatchObject({ peakIndex: 2 })
})

test('unknown values have no figures', () => {
  const none = [null, null, null]
  const end = { capacity: null, used: null, stranded: null, unseen: null, growth: null }
  expect(figuresOf(series({ capacity: none, used: none, usedMax: none, end, peak: null }))).toMatchObject({
    capacity: null,
    used: null,
    peak: null,
    peakIndex: null,
    growth: null,
  })
})

const totals: FleetTotals = {
  pgpus: 2,
  capacity: 24,
  used: 9,
  spare: 0,
  free: 15,
  blocked: 0,
  unknown: 0,
  blockedBy: [],
  orphan: 0,
  locked: 0,
  stranded: 0,
  returning: 0,
  unknownPgpus: 0,
  unknownReason: null,
  unknownBy: [],
  lastKnown: null,
}

test('a range that ends now has the totals of now, in its unit', () => {
  const nothing = { ...totals, pgpus: 0, capacity: 0, used: 0 }
  const current = { totals, passthrough: nothing }
  expect(figuresOf(series({ current }))).toMatchObject({ capacity: 24, used: 9, unseen: 0 })
  const whole = { totals: nothing, passthrough: { ...totals, capacity: 2, used: 1 } }
  expect(figuresOf(series({ current: whole }))).toMatchObject({ capacity: 2, used: 1 })
})
