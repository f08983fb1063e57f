import { expect, test } from 'vitest'
import { aliasTakes, offerOfSpec } from './alias-takes'
import { novaRange } from './nova-releases'
import { specTraits } from './spec-traits'

const MANAGED = 'COMPUTE_MANAGED_PCI_DEVICE'
const ALL = { traits: 'fast', live_migratable: 'yes', one_time_use: true }

// nova/compute/pci_placement_translator.py of 31.0.0, 32.0.0, stable/2026.1 and 34 (262acaff61).
test.each([
  ['2.95', ALL, [MANAGED, 'CUSTOM_FAST']],
  ['2.100', { live_migratable: 'yes' }, [MANAGED]],
  ['2.103', ALL, [MANAGED, 'CUSTOM_FAST', 'HW_PCI_ONE_TIME_USE']],
  ['2.104', ALL, [MANAGED, 'CUSTOM_FAST', 'HW_PCI_LIVE_MIGRATABLE', 'HW_PCI_ONE_TIME_USE']],
  [null, { live_migratable: 'no', one_time_use: false }, [MANAGED]],
  ['2.104', { traits: 'HW_PCI_LIVE_MIGRATABLE', live_migratable: true }, [MANAGED, 'HW_PCI_LIVE_MIGRATABLE']],
])('the traits of a device by Nova %s', (nova, spec, traits) => {
  expect(specTraits(spec, novaRange(nova))).toEqual(traits)
})

test.each([
  [MANAGED, '2.93', true],
  ['HW_PCI_LIVE_MIGRATABLE', '2.103', false],
  ['HW_PCI_LIVE_MIGRATABLE', '2.104', true],
  ['HW_PCI_ONE_TIME_USE', '2.103', true],
])('an alias that requires %s, with Nova %s: %s', (traits, nova, isTaken) => {
  const device = { vendorId: '10de', productId: '1024', deviceType: 'type-PCI' } as const
  const alias = { name: 'gpu', source: '', vendor_id: '10de', product_id: '1024', traits }
  const rules = { range: novaRange(nova), scheduling: 'placement', isReported: true } as const
  const offer = offerOfSpec({ live_migratable: 'yes', one_time_use: 'yes' }, device, rules)
  expect(aliasTakes(alias, offer)).toBe(isTaken)
})
