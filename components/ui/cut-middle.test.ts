import { expect, test } from 'vitest'
import { cutMiddle } from './cut-middle'

test('short text stays whole', () => {
  expect(cutMiddle('0000:18:00.0', 12)).toBe('0000:18:00.0')
})

test('long text keeps both ends and gets the given length', () => {
  const cut = cutMiddle('4b20d080-1b54-4048-85b3-a6a62d165c01', 13)
  expect(cut).toBe('4b20d0…165c01')
  expect(cut).toHaveLength(13)
})

test('a single character is the cut mark', () => {
  expect(cutMiddle('abcdef', 1)).toBe('…')
})
