import { expect, test } from 'vitest'
import type { OfferCard } from './offer-card'
import { purposesOf } from './purposes'

const card = (rest: Partial<OfferCard>): OfferCard => ({
  model: 'NVIDIA A40',
  typeName: 'A40-4Q',
  memoryMib: 4096,
  perCard: 12,
  displays: 4,
  maxResolution: '7680x4320',
  series: 'Q',
  ...rest,
})

test('a series serves what it is licensed for, with enough memory', () => {
  expect(purposesOf([card({})])).toEqual(['desktop', 'cad'])
  expect(purposesOf([card({ memoryMib: 16_384 })])).toEqual([
    'desktop',
    'cad',
    'rendering',
    'training',
    'inference',
  ])
  expect(purposesOf([card({ series: 'B' })])).toEqual(['desktop'])
  expect(purposesOf([card({ series: 'C' })])).toEqual(['inference'])
  expect(purposesOf([card({ series: 'C', memoryMib: 8192 })])).toEqual(['training', 'inference'])
})

test('a whole card computes and renders', () => {
  expect(purposesOf([card({ series: null, typeName: null, memoryMib: 81_920 })])).toEqual([
    'rendering',
    'training',
    'inference',
  ])
})

test('a flavor that may land on several cards promises what all of them do', () => {
  expect(purposesOf([card({}), card({ series: 'C', memoryMib: 8192 })])).toEqual([])
  expect(purposesOf([card({ memoryMib: 16_384 }), card({})])).toEqual(['desktop', 'cad'])
})

test('what no driver names promises nothing', () => {
  expect(purposesOf([])).toEqual([])
  expect(purposesOf([card({ series: null })])).toEqual([])
  expect(purposesOf([card({ memoryMib: null })])).toEqual(['desktop'])
})
