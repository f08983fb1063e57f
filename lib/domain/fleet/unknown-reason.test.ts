import { expect, test } from 'vitest'
import { unknownReason } from './unknown-reason'

const guests = 'the guests could not be read'

test('one reason stands by itself', () => {
  expect(unknownReason({ silent: 24, told: new Map() })).toBe('on silent hosts')
  expect(unknownReason({ silent: 1, told: new Map() })).toBe('on a silent host')
  expect(unknownReason({ silent: 0, told: new Map([[guests, 3]]) })).toBe(guests)
})

test('several reasons come with their counts, the most frequent first', () => {
  expect(unknownReason({ silent: 24, told: new Map([[guests, 2]]) })).toBe(
    '24 on silent hosts and 2: the guests could not be read',
  )
  expect(
    unknownReason({
      silent: 1,
      told: new Map([
        [guests, 2],
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ]),
    }),
  ).toBe('2: the guests could not be read, 1: a and 3 more')
})

test('nothing unknown needs no reason', () => {
  expect(unknownReason({ silent: 0, told: new Map([[guests, 0]]) })).toBeNull()
})
