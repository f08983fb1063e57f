import { expect, test } from 'vitest'
import { dueLines, nextPace } from './use-due-lines'

test('a new list is drawn at once', () => {
  expect([...dueLines([4, 5, 6], { before: null, pace: 1 })]).toEqual([4, 5, 6])
})

test('what scrolls in is drawn by the pace, and until all is what left stays in its stead', () => {
  const first = dueLines([2, 3, 4, 5, 6], { before: new Set([0, 1, 2, 3]), pace: 2 })
  expect([...first]).toEqual([2, 3, 4, 5, 0])
  expect([...dueLines([2, 3, 4, 5, 6], { before: first, pace: 2 })]).toEqual([2, 3, 4, 5, 6])
})

test('the pace follows the frames, and is never zero', () => {
  expect(nextPace(4, 16)).toBe(8)
  expect(nextPace(32, 16)).toBe(32)
  expect(nextPace(4, 25)).toBe(4)
  expect(nextPace(16, 60)).toBe(8)
  expect(nextPace(8, 60)).toBe(8)
})
