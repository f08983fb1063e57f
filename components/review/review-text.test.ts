import { expect, test } from 'vitest'
import { othersText } from './review-text'

test('reports of types without a row how many are full or have a date, if that was counted', () => {
  const words = (counted: { othersFull?: number; othersDated?: number }): string =>
    othersText({ rows: [], others: 21, ...counted })
  expect(words({ othersFull: 2, othersDated: 0 })).toBe(', 2 of them full too')
  expect(words({ othersFull: 2, othersDated: 3 })).toBe(', 2 of them full too and 3 with a date')
  expect(words({ othersFull: 0, othersDated: 3 })).toBe(', 3 of them with a date')
  expect(words({ othersFull: 0, othersDated: 0 })).toBe(', none of them full')
  expect(words({})).toBe('')
})
