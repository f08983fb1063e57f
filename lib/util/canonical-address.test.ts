import { expect, test } from 'vitest'
import { canonicalAddress } from './canonical-address'

test.each([
  ['0000:18:00.0', '0000:18:00.0'],
  ['0000:E7:00.0', '0000:e7:00.0'],
  ['00000000:E7:00.0', '0000:e7:00.0'],
  ['e7:00.0', '0000:e7:00.0'],
  ['0001:e7:00.0', '0001:e7:00.0'],
  ['00000001:e7:00.0', '0001:e7:00.0'],
  ['MTTY', 'mtty'],
])('%s is %s', (text, stored) => {
  expect(canonicalAddress(text)).toBe(stored)
})

test('a domain above four digits is not shortened into another one', () => {
  expect(canonicalAddress('00010001:e7:00.0')).toBe('00010001:e7:00.0')
})
