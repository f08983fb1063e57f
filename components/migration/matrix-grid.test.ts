import { expect, it } from 'vitest'
import { stepCell } from './matrix-grid'

const step = (key: string, at: [number, number], isFar = false) => {
  const next = stepCell({ row: at[0], column: at[1] }, { key, isFar, count: 4 })
  return next === null ? null : [next.row, next.column]
}

it.each<[string, [number, number], [number, number]]>([
  ['ArrowRight', [1, 1], [1, 2]],
  ['ArrowRight', [1, 3], [1, 3]],
  ['ArrowDown', [3, 0], [3, 0]],
  ['ArrowUp', [0, 2], [-1, 2]],
  ['ArrowLeft', [2, 0], [2, -1]],
  ['ArrowLeft', [2, -1], [2, -1]],
  ['PageUp', [3, 1], [0, 1]],
  ['PageDown', [0, 1], [3, 1]],
  ['Home', [2, 3], [2, 0]],
  ['End', [2, 0], [2, 3]],
])('%s at %j leads to %j', (key, at, next) => {
  expect(step(key, at)).toEqual(next)
})

it('passes the empty corner over', () => {
  expect(step('ArrowLeft', [-1, 0])).toEqual([-1, 0])
  expect(step('ArrowUp', [0, -1])).toEqual([0, -1])
})

it('goes to the corners with Ctrl, and leaves other keys alone', () => {
  expect(step('Home', [2, 2], true)).toEqual([0, 0])
  expect(step('End', [1, 1], true)).toEqual([3, 3])
  expect(step('a', [1, 1])).toBeNull()
})
