import { expect, test } from 'vitest'
import { utcText } from './utc-text'

test('a time is written in UTC, and a missing one stays missing', () => {
  expect(utcText('2026-11-02T01:30:00+01:00')).toBe('2026-11-02T00:30:00.000Z')
  expect(utcText(null)).toBeNull()
})
