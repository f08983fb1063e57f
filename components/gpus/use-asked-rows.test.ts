import { expect, test } from 'vitest'
import { isQuick, keepTime, timed } from './use-asked-rows'

const draw = (ms: number) => {
  expect(timed(() => 7)).toBe(7)
  keepTime(performance.now() + ms)
}

test('rows are quick as the last ones were, of which the first do not count', () => {
  expect(isQuick()).toBe(false)
  draw(1)
  expect(isQuick()).toBe(false)
  draw(1)
  expect(isQuick()).toBe(true)
  draw(300)
  expect(isQuick()).toBe(false)
  draw(1)
  expect(isQuick()).toBe(true)
})

test('what draws no other rows is not timed', () => {
  draw(1)
  keepTime(performance.now() + 1000)
  expect(isQuick()).toBe(true)
})
