import { expect, test } from 'vitest'
import { usedOfClass } from './used-of-class'

const USAGES = { VCPU: 8, PCPU: 4, VGPU: 1 }

test('a class is counted as Placement counts it', () => {
  expect(usedOfClass(USAGES, { name: 'VCPU', countsPcpu: false })).toBe(8)
  expect(usedOfClass(USAGES, { name: 'VGPU', countsPcpu: true })).toBe(1)
  expect(usedOfClass(USAGES, { name: 'CUSTOM_A40', countsPcpu: true })).toBe(0)
})

test('the workaround adds PCPU to VCPU, and to nothing else', () => {
  expect(usedOfClass(USAGES, { name: 'VCPU', countsPcpu: true })).toBe(12)
  expect(usedOfClass({ PCPU: 4 }, { name: 'VCPU', countsPcpu: true })).toBe(4)
  expect(usedOfClass(USAGES, { name: 'PCPU', countsPcpu: true })).toBe(4)
})

test('a request of PCPU is compared with the limit on PCPU', () => {
  const requested = ['VCPU', 'PCPU', 'MEMORY_MB']
  expect(usedOfClass(USAGES, { name: 'VCPU', countsPcpu: true, requested })).toBe(8)
})
