import { expect, it } from 'vitest'
import { formatMoney } from './format-money'

it.each([
  ['0.45', 'EUR 0.45'],
  ['0.0375', 'EUR 0.0375'],
  ['2', 'EUR 2.00'],
  ['120.00', 'EUR 120'],
  ['1234.50', 'EUR 1,234.50'],
  ['126000.00', 'EUR 126,000'],
  ['-210.00', 'EUR −210'],
])('writes %s as %s', (amount, text) => {
  expect(formatMoney({ amount, currency: 'EUR' })).toBe(text)
})
