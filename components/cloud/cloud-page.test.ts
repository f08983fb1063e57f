import { expect, test } from 'vitest'
import { formatMs } from './cloud-page'

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1340, '1.3 s'],
  [75_400, '75 s'],
])('%d ms reads %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text)
})
