import { expect, test } from 'vitest'
import { emptySlot, type Slot } from './figures'
import { chooseStep, DAY_MS, HOUR_MS, seriesColumns, seriesEnd } from './series'

const figure = (value: number, max = value) => ({
  knownMs: HOUR_MS,
  integral: value * HOUR_MS,
  min: value,
  max,
})
const slot = (used: number, peak = used): Slot => ({
  ...emptySlot({ knownMs: HOUR_MS, isHeld: false }),
  capacity: figure(12),
  used: figure(used, peak),
})

test('a peak of one hour survives in a point of many', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => slot(2, hour === 7 ? 11 : 2))
  const points = seriesColumns(hours, { fleet: hours, per: 12, isHeld: false })
  expect(points.used).toEqual([2, 2])
  expect(points.usedMax).toEqual([11, 2])
})

test('a gap stays one, and a group without members is 0 only while the fleet was known', () => {
  const fleet = [slot(2), null, slot(2), null]
  const points = seriesColumns([slot(1), null, null, null], { fleet, per: 1, isHeld: false })
  expect(points.used).toEqual([1, null, 0, null])
  expect(points.capacity).toEqual([12, null, 0, null])
})

test('a gap that begins within a point adds nothing to what there is', () => {
  const part = (value: number, knownMs: number) => ({
    knownMs,
    integral: value * knownMs,
    min: value,
    max: value,
  })
  // Of 18 vGPUs all are watched for a third of the hour, and none of them after it.
  const edge: Slot = {
    ...emptySlot({ knownMs: HOUR_MS / 3, isHeld: false }),
    gapMs: (HOUR_MS * 2) / 3,
    capacity: part(18, HOUR_MS / 3),
    used: part(6, HOUR_MS / 3),
    unseen: { knownMs: HOUR_MS, integral: 12 * HOUR_MS, min: 0, max: 18 },
  }
  const gap: Slot = { ...emptySlot({ knownMs: 0, isHeld: false }), gapMs: HOUR_MS, unseen: figure(18) }
  const terms = { fleet: [edge, gap], isHeld: false }
  expect(seriesColumns([edge, gap], { ...terms, per: 1 })).toMatchObject({
    capacity: [18, null],
    unseen: [0, 18],
  })
  expect(seriesColumns([edge, gap], { ...terms, per: 2 })).toMatchObject({ capacity: [18], unseen: [0] })
  expect(seriesEnd([edge], { fleet: [edge], isHeld: false, begin: 0, end: 1 })).toMatchObject({
    capacity: 18,
    unseen: 0,
  })
  // Half of them was not watched before either.
  const half = { ...edge, capacity: part(9, HOUR_MS / 3), unseen: { ...edge.unseen, integral: 15 * HOUR_MS } }
  expect(seriesColumns([half], { ...terms, per: 1 })).toMatchObject({ capacity: [9], unseen: [9] })
})

test('the finest step with few enough points is taken, counted as they are drawn', () => {
  const stepsMs = [HOUR_MS, 3 * HOUR_MS, DAY_MS]
  const from = Date.UTC(2026, 0, 1, 0, 30)
  const within = (hours: number) => ({ from, until: from + hours * HOUR_MS })
  expect(chooseStep(within(9), { stepsMs, maxPoints: 10 })).toBe(HOUR_MS)
  expect(chooseStep(within(10), { stepsMs, maxPoints: 10 })).toBe(3 * HOUR_MS)
  expect(chooseStep(within(1000), { stepsMs, maxPoints: 10 })).toBe(DAY_MS)
})

test('the end is the last slot that is known', () => {
  const slots = [null, slot(3), slot(9), slot(5), null, slot(7)]
  const terms = { fleet: slots, isHeld: false, begin: 0 }
  expect(seriesEnd(slots, { ...terms, end: 5 })).toMatchObject({ used: 5, capacity: 12 })
  expect(seriesEnd(slots, { ...terms, begin: 2, end: 6 })).toMatchObject({ used: 7 })
  expect(seriesEnd(slots, { ...terms, end: 1 })).toMatchObject({ used: null })
  // A group that is gone holds none, as far as the fleet was watched.
  expect(
    seriesEnd([slot(3), null], { fleet: [slot(3), slot(8)], isHeld: false, begin: 0, end: 2 }),
  ).toMatchObject({ used: 0, capacity: 0 })
})

test('finer slots give a more exact value at the end', () => {
  const days = [slot(3), slot(5)]
  const terms = { fleet: days, isHeld: false, begin: 0, end: 2 }
  const hours = [slot(8), slot(6), null]
  expect(seriesEnd(days, { ...terms, last: { slots: hours, fleet: hours } })).toMatchObject({
    used: 6,
  })
  expect(seriesEnd(days, { ...terms, last: { slots: [], fleet: [null, null] } })).toMatchObject({ used: 5 })
})

test('the exact state at the end is used as far as it is known', () => {
  const hours = [slot(3), slot(5)]
  const current = { capacity: 8, used: 7, stranded: null, unseen: 4 }
  const terms = { fleet: hours, isHeld: false, begin: 0, end: 2 }
  expect(seriesEnd(hours, { ...terms, current, last: { slots: hours, fleet: hours } })).toEqual({
    ...current,
    stranded: seriesEnd(hours, terms).stranded,
  })
})
