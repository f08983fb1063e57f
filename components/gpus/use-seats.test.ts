import { expect, test } from 'vitest'
import { orderOf, takeSeats } from './use-seats'

const rows = (...keys: string[]) => keys.map((key) => ({ key, isRow: true }))
const none = { ofRow: new Map<string, number>(), order: [] }

test('a row that stays keeps its seat, and one that comes takes that of one that left', () => {
  const before = takeSeats(rows('a', 'b', 'c'), none)
  expect([...before]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ])
  const after = takeSeats(rows('c', 'd', 'e', 'f'), { ofRow: before, order: [] })
  expect([...after]).toEqual([
    ['c', 2],
    ['d', 0],
    ['e', 1],
    ['f', 3],
  ])
})

test('headings take no seat', () => {
  const seats = takeSeats([{ key: 'group 0', isRow: false }, ...rows('a')], none)
  expect([...seats]).toEqual([['a', 0]])
})

test('while the list scrolls, its elements keep their order in the document', () => {
  const before = ['group 0', 'seat 0', 'seat 1', 'seat 2']
  const lines = ['seat 2', 'seat 0', 'seat 3']
  expect(orderOf(lines, before)).toEqual(['seat 0', 'seat 2', 'seat 3'])
  expect(orderOf(lines, null)).toEqual(lines)
})
