import { expect, test } from 'vitest'
import { fillLines, nextPace } from './use-filled-lines'

test('a new list is full at once', () => {
  expect([...fillLines([4, 5, 6], { before: null, pace: 1 })]).toEqual([4, 5, 6])
})

test('what scrolls in is filled by the pace, and what was full stays', () => {
  const first = fillLines([2, 3, 4, 5, 6], { before: new Set([1, 2, 3]), pace: 2 })
  expect([...first]).toEqual([2, 3, 4, 5])
  expect([...fillLines([2, 3, 4, 5, 6], { before: first, pace: 2 })]).toEqual([2, 3, 4, 5, 6])
})

test('the pace follows the frames, and never stands still', () => {
  expect(nextPace(4, 16)).toBe(8)
  expect(nextPace(32, 16)).toBe(32)
  expect(nextPace(4, 25)).toBe(4)
  expect(nextPace(4, 60)).toBe(2)
  expect(nextPace(1, 60)).toBe(1)
})
