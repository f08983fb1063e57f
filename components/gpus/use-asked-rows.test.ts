import { expect, test } from 'vitest'
import { isQuick, timed } from './use-asked-rows'

test('a list of which nothing is known is not quick, one that fits beside its rows is', () => {
  expect(isQuick({ filter: null, arrangement: 1 })).toBe(false)
  expect(isQuick({ filter: 1, arrangement: null })).toBe(false)
  expect(isQuick({ filter: 3, arrangement: 2 })).toBe(true)
  expect(isQuick({ filter: 15, arrangement: 15 })).toBe(false)
})

test('what the first calculation took says nothing of the next', () => {
  const calculate = () => 7
  expect(timed('filter', calculate)).toBe(7)
  timed('arrangement', calculate)
  expect(isQuick()).toBe(false)
  timed('filter', calculate)
  timed('arrangement', calculate)
  expect(isQuick()).toBe(true)
})
