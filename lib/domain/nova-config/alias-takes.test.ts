import { expect, test } from 'vitest'
import { aliasMeaning, aliasTakes, type PciOffer } from './alias-takes'
import type { PciAlias } from './pci-alias'
import { pciClass } from './pci-names'

const ON_REPORTED_HOST = {
  traits: [],
  isLiveMigratable: undefined,
  scheduling: 'placement',
  isReported: true,
} satisfies Partial<PciOffer>

const K40C: PciOffer = {
  vendorId: '10de',
  productId: '1024',
  deviceType: 'type-PCI',
  resourceClass: 'CUSTOM_PCI_10DE_1024',
  ...ON_REPORTED_HOST,
}
const H100: PciOffer = {
  vendorId: '10de',
  productId: '2331',
  deviceType: 'type-PF',
  resourceClass: 'CUSTOM_H100',
  ...ON_REPORTED_HOST,
}

const alias = (keys: Omit<PciAlias, 'name' | 'source'>): PciAlias => ({
  name: 'gpu',
  source: 'nova.conf:1',
  ...keys,
})

const byIds = alias({ vendor_id: '10DE', product_id: '1024' })

test('the alias of the second seed takes its card, in any case of the ids', () => {
  expect(aliasTakes({ ...byIds, device_type: 'type-PCI' }, K40C)).toBe(true)
  expect(aliasTakes(byIds, K40C)).toBe(true)
  expect(aliasTakes({ ...byIds, product_id: '1eb8' }, K40C)).toBe(false)
})

test('a card that can have VFs goes only to an alias that requests a PF', () => {
  const ids = alias({ vendor_id: '10de', product_id: '2331', resource_class: 'h100' })
  expect(aliasTakes(ids, H100)).toBe(false)
  expect(aliasTakes({ ...ids, device_type: 'type-PCI' }, H100)).toBe(false)
  expect(aliasTakes({ ...ids, device_type: 'type-PF' }, H100)).toBe(true)
})

test('a class is compared as Nova writes it', () => {
  expect(aliasTakes(alias({ resource_class: 'h100', device_type: 'type-PF' }), H100)).toBe(true)
  expect(aliasTakes(alias({ resource_class: 'CUSTOM_A100', device_type: 'type-PF' }), H100)).toBe(false)
  expect(pciClass('gpu-big', K40C)).toBe('CUSTOM_GPU_BIG')
  expect(pciClass(undefined, K40C)).toBe('CUSTOM_PCI_10DE_1024')
  expect(pciClass(undefined, { vendorId: '10de', productId: null })).toBeNull()
})

test('values that are not reported are unknown, and a no stays a no', () => {
  expect(aliasTakes(byIds, { ...K40C, productId: null })).toBeNull()
  expect(aliasTakes(byIds, { ...K40C, vendorId: '1002', productId: null })).toBe(false)
  expect(aliasTakes(byIds, { ...K40C, deviceType: null })).toBeNull()
})

test('an alias in words', () => {
  expect(aliasMeaning({ ...byIds, device_type: 'type-PCI' })).toBe('10de:1024, type-PCI')
  expect(aliasMeaning(alias({ resource_class: 'h100' }))).toBe('CUSTOM_H100')
  expect(aliasMeaning(alias({}))).toBe('any device')
})

// nova/pci/stats.py ignored_spec_tags: without pci_in_placement class and traits are not compared.
test('without pci_in_placement the ids decide, with any class and traits', () => {
  const offer = { ...K40C, scheduling: 'ids' as const }
  const named = { ...byIds, resource_class: 'CUSTOM_K40C', traits: 'CUSTOM_FAST' }
  expect(aliasTakes(named, offer)).toBe(true)
  expect(aliasTakes(named, { ...offer, isReported: false })).toBe(true)
  expect(aliasTakes(named, K40C)).toBe(false)
})

// nova/objects/request_spec.py generate_request_groups_from_pci_requests; pci_placement_translator.py get_resource_class.
test('with pci_in_placement ids alone mean the class of the ids, and traits are required', () => {
  expect(aliasTakes(byIds, { ...K40C, resourceClass: 'CUSTOM_K40C' })).toBe(false)
  expect(aliasTakes(byIds, K40C)).toBe(true)
  const fast = { ...byIds, traits: 'fast,HW_GPU_API_VULKAN' }
  expect(aliasTakes(fast, K40C)).toBe(false)
  expect(aliasTakes(fast, { ...K40C, traits: ['CUSTOM_FAST', 'HW_GPU_API_VULKAN'] })).toBe(true)
  expect(aliasTakes(byIds, { ...K40C, isReported: false })).toBe(false)
})

// nova/pci/stats.py _filter_pools_for_live_migratable_devices: a device without the tag is neither.
test('live_migratable of an alias is compared with that of device_spec in both modes', () => {
  const yes = { ...byIds, live_migratable: 'yes' }
  for (const scheduling of ['ids', 'placement'] as const) {
    const offer = { ...K40C, scheduling }
    expect(aliasTakes(yes, offer)).toBe(false)
    expect(aliasTakes(yes, { ...offer, isLiveMigratable: true })).toBe(true)
    expect(aliasTakes({ ...byIds, live_migratable: 'no' }, offer)).toBe(false)
    expect(aliasTakes({ ...byIds, live_migratable: 'no' }, { ...offer, isLiveMigratable: false })).toBe(true)
    expect(aliasTakes(byIds, { ...offer, isLiveMigratable: true })).toBe(true)
  }
})

test('where the mode is not known, only what both modes give is known', () => {
  const offer = { ...K40C, scheduling: null }
  expect(aliasTakes(byIds, offer)).toBe(true)
  expect(aliasTakes({ ...byIds, resource_class: 'CUSTOM_K40C' }, offer)).toBeNull()
  expect(aliasTakes({ ...byIds, resource_class: 'CUSTOM_K40C' }, { ...offer, isReported: false })).toBe(true)
})
