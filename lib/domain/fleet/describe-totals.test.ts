import { expect, test } from 'vitest'
import { unknownBy, unknownReason } from './describe-totals'

const guests = 'the guests could not be read'
const reasonOf = (reported: [string, number][]) => unknownReason(unknownBy(new Map(reported)))

test('one reason needs no count', () => {
  expect(reasonOf([[guests, 3]])).toBe(guests)
})

test('several reasons have their counts, the most frequent first', () => {
  expect(
    reasonOf([
      ['b', 1],
      [guests, 2],
      ['a', 1],
      ['c', 1],
    ]),
  ).toBe('the guests could not be read (2 pGPUs), a (1 pGPU) and 2 more')
})

test('a reason that concerns no pGPU is not listed', () => {
  expect(unknownBy(new Map([[guests, 0]]))).toEqual([])
  expect(reasonOf([[guests, 0]])).toBeNull()
})
