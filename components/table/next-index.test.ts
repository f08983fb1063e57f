import { expect, test } from 'vitest'
import { nextIndex } from './next-index'

const at = { index: 5, count: 100, page: 20 }

test('keys move by a row, a page or to the ends', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']
  expect(keys.map((key) => nextIndex(key, at))).toEqual([6, 4, 25, 0, 0, 99])
})

test('the list ends where it ends', () => {
  expect(nextIndex('ArrowUp', { ...at, index: 0 })).toBe(0)
  expect(nextIndex('PageDown', { ...at, index: 99 })).toBe(99)
})

test('other keys move nothing', () => {
  expect(nextIndex('a', at)).toBeNull()
})
