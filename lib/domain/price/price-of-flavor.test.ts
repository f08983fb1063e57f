import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountText, parseAmount, shareOfAmount } from './amount'
import { cardKey } from './card-key'
import { type PriceVersion, pricesOn } from './price-list'
import { priceOfFlavor } from './price-of-flavor'

let lastId = 0
const version = (
  model: string,
  typeName: string | null,
  amount: string | null,
  other: Partial<PriceVersion> = {},
): PriceVersion => ({
  ...{ id: ++lastId, model, typeName, amount: amount === null ? null : parseAmount(amount) },
  ...{ currency: 'EUR', validFrom: '2026-01-01', ...other },
})

const A40 = 'NVIDIA A40'
const T4 = 'NVIDIA Tesla T4'
const vgpu = (typeName: string, perCard: number | null = 12, model = A40) => ({ model, typeName, perCard })
const card = (model: string) => ({ model, typeName: null, perCard: 1 })

const ask = (
  versions: readonly PriceVersion[],
  requested: Parameters<typeof priceOfFlavor>[1],
  day = '2026-11-28',
): string => {
  const { price, because } = priceOfFlavor(pricesOn(versions, day), requested)
  return price === null ? because : `${price.currency} ${amountText(price.amount)}`
}

it('multiplies the price of the type by the number of vGPUs', () => {
  const list = [version(A40, 'A40-4Q', '0.15'), version(A40, null, '1.20')]
  expect(ask(list, [{ count: 3, gpus: [vgpu('A40-4Q')] }])).toBe('EUR 0.45')
})

it('takes an equal share of the card for a type without a price, rounded half up', () => {
  const list = [version(A40, null, '1.00')]
  expect(ask(list, [{ count: 1, gpus: [vgpu('A40-4Q', 12)] }])).toBe('EUR 0.0833')
  expect(ask(list, [{ count: 1, gpus: [vgpu('A40-8Q', 6)] }])).toBe('EUR 0.1667')
  expect(ask(list, [{ count: 2, gpus: [card(A40)] }])).toBe('EUR 2.00')
})

it('uses the version of the day, and of one day the last one', () => {
  const list = [
    version(A40, null, '1.00', { validFrom: '2026-01-01' }),
    version(A40, null, '3.00', { validFrom: '2026-12-01' }),
    version(A40, null, '2.00', { validFrom: '2026-11-01' }),
    version(A40, null, '2.50', { validFrom: '2026-11-01' }),
  ]
  const whole = [{ count: 1, gpus: [card(A40)] }]
  expect(ask(list, whole, '2025-12-31')).toBe('The price list has no price of NVIDIA A40.')
  expect(ask(list, whole, '2026-10-31')).toBe('EUR 1.00')
  expect(ask(list, whole, '2026-11-01')).toBe('EUR 2.50')
  expect(ask(list, whole, '2026-12-01')).toBe('EUR 3.00')
})

it('uses the price of the card again after the end of the price of the type', () => {
  const list = [
    version(A40, null, '1.20'),
    version(A40, 'A40-4Q', '0.15'),
    version(A40, 'A40-4Q', null, { validFrom: '2026-12-01' }),
  ]
  const requested = [{ count: 1, gpus: [vgpu('A40-4Q')] }]
  expect(ask(list, requested, '2026-11-30')).toBe('EUR 0.15')
  expect(ask(list, requested, '2026-12-01')).toBe('EUR 0.10')
})

it('has the reason of each unknown price', () => {
  const list = [
    version(A40, null, '1.20'),
    version(T4, null, '0.40'),
    version('NVIDIA L4', null, '0.70', { currency: 'USD' }),
  ]
  expect(ask(list, [])).toBe('The flavor requests no GPU.')
  expect(ask(list, [{ count: 1, gpus: [] }])).toBe('The card of the flavor is unknown.')
  expect(ask(list, [{ count: 1, gpus: [vgpu('L40S-4Q', 12, 'NVIDIA L40S')] }])).toBe(
    'The price list has no price of L40S-4Q or NVIDIA L40S.',
  )
  expect(ask(list, [{ count: 1, gpus: [vgpu('A40-4Q', null)] }])).toBe(
    'The number of A40-4Q on one NVIDIA A40 is unknown, and A40-4Q has no price.',
  )
  expect(ask(list, [{ count: 1, gpus: [card(A40), card(T4)] }])).toBe(
    'The cards of the flavor have different prices.',
  )
  expect(
    ask(list, [
      { count: 1, gpus: [card(A40)] },
      { count: 1, gpus: [card('NVIDIA L4')] },
    ]),
  ).toBe('The GPUs of the flavor have prices in different currencies.')
})

it('takes the names of one card for equal', () => {
  expect(cardKey('NVIDIA Tesla T4')).toBe(cardKey('NVIDIA T4'))
  expect(cardKey('NVIDIA RTX A6000')).toBe(cardKey('NVIDIA RTXA6000'))
  expect(cardKey('NVIDIA A100-SXM4-40GB')).not.toBe(cardKey('NVIDIA A100-SXM4-80GB'))
})

it('writes every amount so that it is read back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), (amount) => {
      expect(parseAmount(amountText(amount))).toBe(amount)
    }),
  )
  expect(['7', '0.5', '0.0375', '12.00'].map((text) => amountText(parseAmount(text)))).toEqual([
    '7.00',
    '0.50',
    '0.0375',
    '12.00',
  ])
  expect(amountText(-35_000n)).toBe('-3.50')
})

it('shares an amount with an error of at most half a ten-thousandth for each part', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), fc.integer({ min: 1, max: 64 }), (amount, count) => {
      const error = shareOfAmount(amount, count) * BigInt(count) - amount
      expect(2n * (error < 0n ? -error : error)).toBeLessThanOrEqual(BigInt(count))
    }),
  )
})
