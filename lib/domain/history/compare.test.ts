import { expect, test } from 'vitest'
import { alignColumns, comparedRange } from './compare'

const columns = (values: readonly (number | null)[]) => ({
  used: values,
  usedMax: values.map((value) => (value === null ? null : value + 1)),
})

test('another range with the same steps lies point on point, with its gaps', () => {
  const average = alignColumns(columns([1, null, 3]), { otherStepSeconds: 3600, stepSeconds: 3600, count: 4 })
  expect(average).toEqual({ used: [1, null, 3, null], usedMax: [2, null, 4, null] })
})

test('shorter steps are joined with their peak, longer ones count for all of their time', () => {
  const shorter = { otherStepSeconds: 3600, stepSeconds: 7200, count: 2 }
  expect(alignColumns(columns([1, 4, null, 3]), shorter)).toEqual({ used: [2.5, 3], usedMax: [5, 4] })
  const longer = { otherStepSeconds: 7200, stepSeconds: 3600, count: 3 }
  expect(alignColumns(columns([1, 4]), longer).used).toEqual([1, 1, 4])
})

test('the range to compare with is as long, before it, a year before or from a day on', () => {
  const range = { from: Date.UTC(2024, 1, 29), until: Date.UTC(2024, 2, 7) }
  expect(comparedRange(range, 'previous')).toEqual({ from: Date.UTC(2024, 1, 22), until: range.from })
  expect(comparedRange({ from: Date.UTC(2026, 5, 1), until: Date.UTC(2026, 6, 1) }, 'year')).toEqual({
    from: Date.UTC(2025, 5, 1),
    until: Date.UTC(2025, 6, 1),
  })
  expect(comparedRange(range, Date.UTC(2023, 0, 1)).until).toBe(Date.UTC(2023, 0, 8))
})
