import { expect, it } from 'vitest'
import { createShare } from './create-share'

it('returns the first of equal values', () => {
  const share = createShare()
  const first = [[0, 4]]
  expect(share(first)).toBe(first)
  expect(share([[0, 4]])).toBe(first)
  expect(share([[0, 5]])).toEqual([[0, 5]])
  expect(share(null)).toBeNull()
})
