import { expect, test } from 'vitest'
import { aliasMeaning, aliasTakes, offeredClass, type PciOffer } from './alias-takes'
import type { PciAlias } from './pci-alias'

const K40C: PciOffer = {
  vendorId: '10de',
  productId: '1024',
  deviceType: 'type-PCI',
  resourceClass: 'CUSTOM_PCI_10DE_1024',
}
const H100: PciOffer = {
  vendorId: '10de',
  productId: '2331',
  deviceType: 'type-PF',
  resourceClass: 'CUSTOM_H100',
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

test('a card that can have VFs goes only to an alias that asks for a PF', () => {
  const ids = alias({ vendor_id: '10de', product_id: '2331' })
  expect(aliasTakes(ids, H100)).toBe(false)
  expect(aliasTakes({ ...ids, device_type: 'type-PCI' }, H100)).toBe(false)
  expect(aliasTakes({ ...ids, device_type: 'type-PF' }, H100)).toBe(true)
})

test('a class is compared as Nova writes it', () => {
  expect(aliasTakes(alias({ resource_class: 'h100', device_type: 'type-PF' }), H100)).toBe(true)
  expect(aliasTakes(alias({ resource_class: 'CUSTOM_A100', device_type: 'type-PF' }), H100)).toBe(false)
  expect(offeredClass({ resource_class: 'gpu-big' }, K40C)).toBe('CUSTOM_GPU_BIG')
  expect(offeredClass({}, K40C)).toBe('CUSTOM_PCI_10DE_1024')
  expect(offeredClass({}, { vendorId: '10de', productId: null })).toBeNull()
})

test('what the report does not tell is unknown, and a no stays a no', () => {
  expect(aliasTakes(byIds, { ...K40C, productId: null })).toBeNull()
  expect(aliasTakes(byIds, { ...K40C, vendorId: '1002', productId: null })).toBe(false)
  expect(aliasTakes(byIds, { ...K40C, deviceType: null })).toBeNull()
})

test('an alias in words', () => {
  expect(aliasMeaning({ ...byIds, device_type: 'type-PCI' })).toBe('10de:1024, type-PCI')
  expect(aliasMeaning(alias({ resource_class: 'h100' }))).toBe('CUSTOM_H100')
  expect(aliasMeaning(alias({}))).toBe('any device')
})
