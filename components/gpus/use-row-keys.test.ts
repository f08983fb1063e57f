import { expect, test } from 'vitest'
import { placeAfter } from './use-row-keys'

const at = { place: 5, count: 100, page: 20 }

test('keys move by a row, a page or to the ends', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']
  expect(keys.map((key) => placeAfter(key, at))).toEqual([6, 4, 25, 0, 0, 99])
})

test('the list ends where it ends', () => {
  expect(placeAfter('ArrowUp', { ...at, place: 0 })).toBe(0)
  expect(placeAfter('PageDown', { ...at, place: 99 })).toBe(99)
})

test('other keys move nothing', () => {
  expect(placeAfter('a', at)).toBeNull()
})
