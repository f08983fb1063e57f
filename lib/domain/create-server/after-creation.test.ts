import { expect, test } from 'vitest'
import { leftOf } from './after-creation'

test.each([
  ['enough', { needs: 1, limit: 8, used: 4 }, { before: 4, after: 3, isShort: false }],
  ['the last one', { needs: 8, limit: 16, used: 8 }, { before: 8, after: 0, isShort: false }],
  ['too little', { needs: 8, limit: 16, used: 12 }, { before: 4, after: 0, isShort: true }],
  ['a limit below the use', { needs: 1, limit: 2, used: 5 }, { before: 0, after: 0, isShort: true }],
  ['no limit', { needs: 1, limit: null, used: 5 }, null],
  ['an unknown use', { needs: 1, limit: 8, used: null }, null],
])('%s', (_, need, left) => {
  expect(leftOf(need)).toEqual(left)
})
