import { expect, test } from 'vitest'
import type { ScenarioType } from '@/lib/schemas/api/scenario-result'
import { firstFull } from './first-full'
import { isFlavorChanged, isGroupChanged, joinRows } from './result-rows'
import { valueText } from './value-text'

const NO_FULL = { before: null, after: null, none: null, shortage: null, peak: null }

const type = (label: string, change: Partial<ScenarioType> = {}): ScenarioType => ({
  ...{ key: label, label, used: 3, cards: { before: 2, after: 2 }, capacity: { before: 8, after: 8 } },
  full: NO_FULL,
  ...change,
})
const dated = (day: string) => ({ kind: 'dated' as const, earliest: day, likely: day, latest: day })

test('rows of two scenarios are joined by their key, and a missing one stays unknown', () => {
  const rows = joinRows(
    [
      [type('a'), type('b')],
      [type('b'), type('c')],
    ],
    ({ key }) => key,
  )
  expect(rows.map(({ key, sides }) => [key, sides.map((row) => row?.label)])).toEqual([
    ['a', ['a', undefined]],
    ['b', ['b', 'b']],
    ['c', [undefined, 'c']],
  ])
})

test('a group differs by its cards, its capacity or when it is full', () => {
  expect(isGroupChanged(type('a'))).toBe(false)
  expect(isGroupChanged(type('a', { cards: { before: 2, after: 3 } }))).toBe(true)
  expect(isGroupChanged(type('a', { capacity: { before: 8, after: 4 } }))).toBe(true)
  expect(isGroupChanged(type('a', { full: { ...NO_FULL, after: dated('2027-01-01') } }))).toBe(true)
})

test('a flavor differs by its servers, or by where they fit', () => {
  const flavor = { id: 'f', name: 'f', fits: { before: 6, after: 6 }, byAggregate: [], moreAggregates: 0 }
  expect(isFlavorChanged(flavor)).toBe(false)
  expect(isFlavorChanged({ ...flavor, fits: { before: 6, after: 2 } })).toBe(true)
  expect(isFlavorChanged({ ...flavor, byAggregate: [{ name: 'gpu', more: -1 }] })).toBe(true)
})

test('the first type to be full counts a shortage, and no type without capacity', () => {
  const [march, may] = [dated('2027-03-01'), dated('2027-05-01')]
  const types = [
    type('late', { full: { ...NO_FULL, before: may, after: may } }),
    type('soon', {
      full: { ...NO_FULL, before: march, after: may, shortage: { from: '2027-02-01', until: '2027-04-01' } },
    }),
    type('gone', {
      capacity: { before: 0, after: 0 },
      full: { ...NO_FULL, before: { kind: 'full', since: '2026-01-01' } },
    }),
  ]
  expect(firstFull(types, 'before')).toEqual({ label: 'soon', day: '2027-03-01' })
  expect(firstFull(types, 'after')).toEqual({ label: 'soon', day: '2027-02-01' })
  expect(firstFull([type('a')], 'after')).toBeNull()
})

test('a value states its sign, its currencies and the cards without a price', () => {
  const amounts = [
    { amount: '-44.40', currency: 'EUR' },
    { amount: '11680.00', currency: 'USD' },
  ]
  expect(valueText({ amounts, unpricedCards: 0 })).toBe('EUR −44, +USD 11,680 per month')
  expect(valueText({ amounts: [], unpricedCards: 0 })).toBe('no difference')
  expect(valueText({ amounts: [], unpricedCards: 1 })).toBe('1 card without a price')
  expect(valueText({ amounts: amounts.slice(1), unpricedCards: 2 })).toBe(
    '+USD 11,680 per month, 2 cards without a price',
  )
})
