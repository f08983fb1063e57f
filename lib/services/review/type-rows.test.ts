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

test('what is full again and again stands before what has little left as the period ends', () => {
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
  const { rows, others } = typeRows(cards, { forecasts, most: 3 })
  expect(rows.map(({ label }) => label)).toEqual(['full', 'dated', 'busy'])
  expect(others).toBe(1)
})
