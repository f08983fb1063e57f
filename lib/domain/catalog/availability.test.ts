import { expect, test } from 'vitest'
import { availabilityOf } from './availability'

const word = (fits: number, whenEmpty: number, isKnown = true) => availabilityOf({ fits, whenEmpty, isKnown })

test('two or fewer are few, however small the cloud', () => {
  expect([0, 1, 2, 3].map((fits) => word(fits, 4))).toEqual(['none', 'few', 'few', 'free'])
})

test('in a large cloud less than an eighth is few', () => {
  expect([99, 100].map((fits) => word(fits, 800))).toEqual(['few', 'free'])
})

test('none is said only when everything could be counted', () => {
  expect(word(0, 8, false)).toBe('unknown')
  expect(word(1, 8, false)).toBe('few')
})

test('other sizes of fleet and use give the same word', () => {
  expect(new Set([word(4, 4), word(400, 3000), word(3000, 3000)])).toEqual(new Set(['free']))
})
