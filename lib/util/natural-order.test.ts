import { expect, test } from 'vitest'
import { naturalRanks } from './natural-order'

test('numbers inside names count as numbers', () => {
  expect([...naturalRanks(['cmp-10', 'cmp-9', 'cmp-r2-1', 'CMP-2'])]).toEqual([2, 1, 3, 0])
})

test('equal names keep their own ranks, in their order', () => {
  expect([...naturalRanks(['b', 'a', 'a'])]).toEqual([2, 0, 1])
})
