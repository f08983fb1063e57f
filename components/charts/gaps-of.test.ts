import { expect, test } from 'vitest'
import { gapsOf } from './gaps-of'

test('what is not known side by side is one gap, also at the begin and the end', () => {
  expect(gapsOf([null, null, 3, null, 0, null])).toEqual([
    { from: 0, until: 2 },
    { from: 3, until: 4 },
    { from: 5, until: 6 },
  ])
  expect(gapsOf([1, 2])).toEqual([])
})
