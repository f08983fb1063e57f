import { expect, test } from 'vitest'
import { novaRange } from './nova-releases'
import { aliasFaults, areAliasesAccepted } from './pci-alias-rules'

const IDS = { name: 'gpu', vendor_id: '10de', product_id: '1024' }
const CLASS_ONLY = { name: 'gpu', resource_class: 'CUSTOM_K40C' }
const [ZED, BOBCAT, CARACAL, EPOXY, GAZPACHO] = ['2.93', '2.95', '2.96', '2.100', '2.103'].map(novaRange)

const kinds = (entries: unknown[], isByPlacement: boolean | null = false, range = GAZPACHO ?? null) =>
  aliasFaults(entries, { range, isByPlacement }).map(({ kind }) => kind)

// nova/pci/request.py _ALIAS_SCHEMA and get_alias_from_config (stable/2026.1).
test.each([
  ['not JSON', [undefined]],
  ['a list', [[IDS]]],
  ['no name', [{ vendor_id: '10de', product_id: '1024' }]],
  ['an empty name', [{ ...IDS, name: '' }]],
  ['an unknown key', [{ ...IDS, dev_type: 'type-PCI' }]],
  ['a number', [{ ...IDS, vendor_id: 10 }]],
  ['an id with 0x', [{ ...IDS, vendor_id: '0x10de' }]],
  ['an id of three digits', [{ ...IDS, product_id: '102' }]],
  ['an unknown device_type', [{ ...IDS, device_type: 'vdpa' }]],
  ['an unknown numa_policy', [{ ...IDS, numa_policy: 'strict' }]],
  ['live_migratable that is no boolean', [{ ...IDS, live_migratable: 'maybe' }]],
  ['two entries without device_type', [IDS, { ...IDS, product_id: '1023' }]],
  ['two entries, one without device_type', [{ ...IDS, device_type: 'type-PCI' }, IDS]],
  [
    'two device types',
    [
      { ...IDS, device_type: 'type-PCI' },
      { ...IDS, device_type: 'type-PF' },
    ],
  ],
  [
    'two NUMA policies',
    [
      { ...IDS, device_type: 'type-PCI', numa_policy: 'required' },
      { ...IDS, device_type: 'type-PCI' },
    ],
  ],
])('every release refuses %s', (_, entries) => {
  expect(kinds(entries)).toContain('parse')
  for (const range of [ZED ?? null, GAZPACHO ?? null])
    expect(areAliasesAccepted(entries, { range, isByPlacement: false })).toBe(false)
})

test.each([
  ['ids', [IDS]],
  ['ids in capitals and a name with blanks', [{ ...IDS, name: ' gpu ', vendor_id: '10DE' }]],
  ['capability_type', [{ ...IDS, capability_type: 'pci' }]],
  [
    'two alternatives of one type',
    [
      { ...IDS, device_type: 'type-PCI' },
      { ...IDS, product_id: '1023', device_type: 'type-PCI' },
    ],
  ],
  [
    'legacy as the default of numa_policy',
    [
      { ...IDS, device_type: 'type-PCI', numa_policy: 'legacy' },
      { ...IDS, device_type: 'type-PCI' },
    ],
  ],
  [
    'every word for a boolean',
    ['1', 'T', 'on', 'y', ' Yes ', 'no', 'f'].map((word, n) => ({
      ...IDS,
      name: `a${n}`,
      live_migratable: word,
    })),
  ],
])('accepts %s', (_, entries) => {
  expect(aliasFaults(entries, { range: GAZPACHO ?? null, isByPlacement: false })).toEqual([])
})

// nova/pci/request.py _validate_required_ids, _validate_multispec (bug 2111440; 31.3.1, 32.0.0).
test('the ids are needed without pci_in_placement, ids or a class with it', () => {
  expect(kinds([CLASS_ONLY], false)).toEqual(['start'])
  expect(kinds([CLASS_ONLY], true)).toEqual([])
  expect(kinds([CLASS_ONLY], null)).toEqual([])
  expect(kinds([{ name: 'gpu', vendor_id: '10de' }], true)).toEqual(['start'])
  expect(kinds([{ name: 'gpu' }], null)).toEqual(['start'])
  const two = [
    { ...IDS, device_type: 'type-PCI' },
    { ...IDS, product_id: '1023', device_type: 'type-PCI' },
  ]
  expect(kinds(two, true)).toEqual(['start', 'start'])
  expect(kinds(two, false)).toEqual([])
})

test('the check at start came with 31.3.1 and 32.0.0', () => {
  const accepted = (range: typeof ZED) =>
    areAliasesAccepted([{ name: 'gpu' }], { range: range ?? null, isByPlacement: false })
  expect(accepted(CARACAL)).toBe(true)
  expect(accepted(EPOXY)).toBeNull()
  expect(accepted(GAZPACHO)).toBe(false)
})

// nova/pci/request.py _ALIAS_SCHEMA of 26.2, 2023.1, 2024.1, 2025.1.
test('resource_class and traits came with Nova 27, live_migratable with 31', () => {
  expect(kinds([{ ...IDS, resource_class: 'CUSTOM_K40C' }], false, ZED)).toEqual(['parse'])
  expect(kinds([{ ...IDS, resource_class: 'CUSTOM_K40C', traits: 'CUSTOM_A' }], false, BOBCAT)).toEqual([])
  expect(kinds([{ ...IDS, live_migratable: 'yes' }], false, CARACAL)).toEqual(['parse'])
  expect(kinds([{ ...IDS, live_migratable: 'yes' }], false, EPOXY)).toEqual([])
})
