import { expect, test } from 'vitest'
import { drawnToEnd } from './drawn-to-end'

test('the last point is drawn to its end', () => {
  const points = [
    { at: 0, used: 3 },
    { at: 3_600_000, used: 5 },
  ]
  expect(drawnToEnd(points, 3600)).toEqual([...points, { at: 7_200_000, used: 5 }])
  expect(drawnToEnd([], 3600)).toEqual([])
  const running = { at: 0, endsAt: 1_560_000 }
  expect(drawnToEnd([running], 3600)).toEqual([running, { ...running, at: 1_560_000 }])
})
