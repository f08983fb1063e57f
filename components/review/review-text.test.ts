import { expect, test } from 'vitest'
import { othersText } from './review-text'
import { sheetTexts } from './sheet-texts'

test('types without a row are counted if they are full or have a date, where this was stored', () => {
  const words = (counted: { othersFull?: number; othersDated?: number }): string =>
    othersText(counted, sheetTexts({ version: 2 }))
  expect(words({ othersFull: 2, othersDated: 0 })).toBe(', 2 of them full too')
  expect(words({ othersFull: 2, othersDated: 3 })).toBe(', 2 of them full too and 3 with a date')
  expect(words({ othersFull: 0, othersDated: 3 })).toBe(', 3 of them with a date')
  expect(words({ othersFull: 0, othersDated: 0 })).toBe(', none of them full')
  expect(words({})).toBe('')
})
