import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after'

const now = new Date('2025-06-01T12:00:00Z')

test.each([
  ['seconds', '7', undefined, 7000],
  ['seconds with spaces', ' 7 ', undefined, 7000],
  ['no wait', '0', undefined, 0],
  ['more than an hour is an hour', '999999999999', undefined, 3_600_000],
  ['a date', 'Sun, 01 Jun 2025 12:00:30 GMT', undefined, 30_000],
  [
    'a date by the clock of the server',
    'Sun, 01 Jun 2025 14:00:30 GMT',
    'Sun, 01 Jun 2025 14:00:00 GMT',
    30_000,
  ],
  ['a date in the past', 'Sun, 01 Jun 2025 11:00:00 GMT', undefined, 0],
  ['a date far off', 'Sun, 01 Jun 2031 11:00:00 GMT', undefined, 3_600_000],
  ['a negative number', '-5', undefined, null],
  ['a fraction', '1.5', undefined, null],
  ['nonsense', 'soon', undefined, null],
  ['nothing', '', undefined, null],
  ['no header', undefined, undefined, null],
])('%s', (_what, retryAfter, date, expected) => {
  expect(parseRetryAfter({ retryAfter, date, now })).toBe(expected)
})
