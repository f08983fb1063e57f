import { expect, test } from 'vitest'
import { areOthers, isQuick, keepTime, timed } from './use-gpu-view'

const draw = (ms: number, isOther = true) => {
  expect(timed(() => 7)).toBe(7)
  keepTime(performance.now() + ms, isOther)
}

test('rows are quick as the last ones were; the list itself and the first others are cold', () => {
  draw(400)
  expect(isQuick()).toBe(false)
  draw(1, false)
  expect(isQuick()).toBe(false)
  draw(400)
  expect(isQuick()).toBe(true)
  draw(100)
  expect(isQuick()).toBe(false)
})

test('one that was slow is remembered for some that are quick', () => {
  draw(100)
  draw(1)
  expect(isQuick()).toBe(false)
  draw(1, false)
  expect(isQuick()).toBe(false)
  draw(1)
  expect(isQuick()).toBe(true)
})

test('rows are others where most of those in sight are', () => {
  const rows = Int32Array.from({ length: 100 }, (_, row) => row)
  expect(areOthers(rows, null)).toBe(true)
  expect(areOthers(rows, rows.slice(0, 40))).toBe(false)
  expect(areOthers(rows, rows.slice(1))).toBe(true)
  expect(areOthers(rows.slice(0, 3), rows)).toBe(true)
  expect(areOthers(rows.slice(0, 0), rows.slice(0, 0))).toBe(false)
})
