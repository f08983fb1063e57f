import { expect, test } from 'vitest'
import { TRAIT_RULE_PATTERN } from '@/lib/schemas/api/change-limits'
import { DEFAULT_TRAIT_RULE, traitOfType, traitsNaming } from './type-traits'

const type = { typeId: 'nvidia-558', name: 'NVIDIA A40-4Q', shortName: 'A40-4Q' }

test('the default rule names vendor and type', () => {
  expect(traitOfType(DEFAULT_TRAIT_RULE, { type, vendorId: '10de' })).toBe('CUSTOM_NVIDIA_A40_4Q')
  expect(traitOfType('CUSTOM_VGPU_{id}', { type, vendorId: '10de' })).toBe('CUSTOM_VGPU_NVIDIA_558')
})

test('a vendor without a name leaves no gap', () => {
  expect(traitOfType(DEFAULT_TRAIT_RULE, { type, vendorId: null })).toBe('CUSTOM_A40_4Q')
})

test('what the rule gives is what findings take for a name of the type', () => {
  expect(traitsNaming(type).has(traitOfType(DEFAULT_TRAIT_RULE, { type, vendorId: '10de' }))).toBe(true)
})

test('a rule without the type, or with other characters, is none', () => {
  for (const rule of ['CUSTOM_GPU', 'A40_{type}', 'CUSTOM_{name}', 'CUSTOM_a_{type}', 'CUSTOM_{type}; rm'])
    expect(TRAIT_RULE_PATTERN.test(rule), rule).toBe(false)
  expect(TRAIT_RULE_PATTERN.test(DEFAULT_TRAIT_RULE)).toBe(true)
})
