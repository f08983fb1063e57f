import { expect, test } from 'vitest'
import { copyMap } from './copy-map'

test('a copy has the same entries in the same order, and goes its own way', () => {
  const map = new Map([
    ['b', 2],
    ['a', 1],
  ])
  const copy = copyMap(map)
  expect([...copy]).toEqual([...map])
  copy.delete('b')
  expect(map.size).toBe(2)
})
