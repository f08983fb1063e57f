import { expect, test } from 'vitest'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { typeRows } from './type-rows'

type Cards = Parameters<typeof typeRows>[0]
type Card = Cards[number]

const card = (typeId: string, { used, capacity }: { used: number; capacity: number }): Card =>
  ({
    isWatched: true,
    word: null,
    point: { typeId, typeName: typeId, model: 'T4', used, capacity },
  }) as unknown as Card

const forecast = (key: string, exhaustion: ForecastGroup['exhaustion']) =>
  ({ key, label: key, exhaustion, none: null }) as ForecastGroup

test('what is full again and again is before what has little left as the period ends', () => {
  const cards = [
    card('busy', { used: 15, capacity: 16 }),
    card('full', { used: 9, capacity: 10 }),
    card('dated', { used: 2, capacity: 10 }),
    card('idle', { used: 0, capacity: 4 }),
  ]
  const forecasts = [
    forecast('full', { kind: 'full', since: '2026-09-22' }),
    forecast('dated', { kind: 'dated', earliest: '2026-12-01', likely: null, latest: null }),
    forecast('busy', { kind: 'not-growing' }),
  ]
  const { rows, others } = typeRows(cards, { forecasts, max: 3, isPart: false })
  expect(rows.map(({ label }) => label)).toEqual(['full', 'dated', 'busy'])
  expect(others).toBe(1)
})

const full = (since: string): ForecastGroup['exhaustion'] => ({ kind: 'full', since })
const dated = (likely: string | null): ForecastGroup['exhaustion'] => ({
  kind: 'dated',
  earliest: '2026-12-01',
  likely,
  latest: null,
})

test('the longest full, the soonest date and the least headroom at the peak come first, regardless of the end', () => {
  const free = { used: 0, capacity: 10 }
  const taken = { used: 10, capacity: 10 }
  const cards = [
    card('tight at the end', { used: 8, capacity: 10 }),
    card('late', taken),
    card('never', taken),
    card('tight at the peak', free),
    card('soon', free),
    card('lately full', taken),
    card('long full', free),
  ]
  const forecasts = [
    forecast('lately full', full('2026-10-20')),
    forecast('long full', full('2026-08-26')),
    forecast('never', dated(null)),
    forecast('late', dated('2027-04-01')),
    forecast('soon', dated('2027-01-01')),
    { ...forecast('tight at the peak', { kind: 'not-growing' }), used: 9, capacity: 10 },
  ]
  const order = ['long full', 'lately full', 'soon', 'late', 'never', 'tight at the peak', 'tight at the end']
  const all = typeRows(cards, { forecasts, max: 9, isPart: false })
  expect(all.rows.map(({ label }) => label)).toEqual(order)
  expect(all).toMatchObject({ others: 0, othersFull: 0, othersDated: 0 })
  expect(typeRows(cards, { forecasts, max: 1, isPart: false })).toMatchObject({
    others: 6,
    othersFull: 1,
    othersDated: 3,
  })
})

test('the peak of the last week is next to what was used at the end, and is not reported of a part of the cloud', () => {
  const cards = [card('full', { used: 21, capacity: 32 }), card('new', { used: 1, capacity: 4 })]
  const forecasts = [{ ...forecast('full', full('2026-09-01')), used: 32, capacity: 32 }]
  const { rows } = typeRows(cards, { forecasts, max: 2, isPart: false })
  expect(rows.map(({ used, peak }) => [used, peak])).toEqual([
    [21, 32],
    [1, null],
  ])
  expect(typeRows(cards, { forecasts, max: 2, isPart: true }).rows[0]).not.toHaveProperty('peak')
})
