import { expect, test } from 'vitest'
import { isWhole, passthroughRefusal, typeRefusal } from './gpu-refusals'

const type = { typeId: 'nvidia-320', source: '/etc/nova/nova.conf:12' }
const bare = { framework: 'mdev', driver: 'nvidia', supportedTypes: null, currentType: null } as const

test('a card with a configured type can change it, although the driver lists no types', () => {
  expect(typeRefusal({ ...bare, configuredType: type })).toBeNull()
})

test('a card without any type has none to change', () => {
  expect(typeRefusal({ ...bare, supportedTypes: [], configuredType: null })).toBe(
    'The driver reports no vGPU types for this card.',
  )
})

test('a card with a VFIO driver has to leave PCI passthrough first, one that is only configured for it does not', () => {
  const whole = { ...bare, framework: 'passthrough', configuredType: type } as const
  expect(typeRefusal({ ...whole, driver: 'vfio-pci' })).toMatch(/^The card is in PCI passthrough/)
  expect(isWhole({ ...whole, driver: 'nvidia' })).toBe(false)
  expect(typeRefusal(whole)).toBeNull()
})

test('a virtual parent cannot be passed through', () => {
  expect(passthroughRefusal({ vendorId: null })).toMatch(/^A virtual parent/)
  expect(passthroughRefusal({ vendorId: '10de' })).toBeNull()
})
