import { expect, test } from 'vitest'
import { unknownReason } from './unknown-reason'

const guests = 'the guests could not be read'

test('one reason needs no count', () => {
  expect(unknownReason(new Map([[guests, 3]]))).toBe(guests)
})

test('several reasons come with their counts, the most frequent first', () => {
  expect(
    unknownReason(
      new Map([
        [guests, 2],
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ]),
    ),
  ).toBe('2: the guests could not be read, 1: a and 2 more')
})

test('nothing unknown needs no reason', () => {
  expect(unknownReason(new Map([[guests, 0]]))).toBeNull()
})
