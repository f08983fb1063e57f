import { expect, test } from 'vitest'
import { lastDayOf } from './capacity-words'

test('what ends with a day has that day as its last', () => {
  expect(lastDayOf('2026-11-23T00:00:00.000Z')).toBe('2026-11-22')
  expect(lastDayOf('2026-11-22T18:00:00.000Z')).toBe('2026-11-22')
})
