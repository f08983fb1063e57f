import { expect, test } from 'vitest'
import { matchesDeviceSpec, type PciFunction, readDeviceSpecLine } from './device-spec'
import { deviceSpecFault } from './device-spec-rules'
import { novaRange } from './nova-releases'

const NEWEST = novaRange('2.103')

const isAccepted = (entry: unknown, { isReported = false, range = NEWEST } = {}): boolean =>
  deviceSpecFault(entry, { range, isReported }) === null

const IDS = { vendor_id: '10de', product_id: '1024' }

// nova/pci/devspec.py PciDeviceSpec of stable/2026.1, called with these entries.
test.each([
  [{ ...IDS, managed: 'manual' }],
  [{ ...IDS, live_migratable: 'maybe' }],
  [{ ...IDS, one_time_use: 'true' }],
  [{ vendor_id: 'NVIDIA' }],
  [{ vendor_id: '' }],
  [{ vendor_id: '110de' }],
  [{ vendor_id: 10 }],
  [{ product_id: ' * ' }],
  [{ product_id: null }],
  [{ address: '0000:86:00.0', devname: 'eth0' }],
  [{ address: '0:0000:86:00.0' }],
  [{ address: '0000:8g:00.0' }],
  [{ address: '0000:86:40.0' }],
  [{ address: '0000:86:00.8' }],
  [{ address: '86:00. ' }],
  [{ product_id: '\u001eb8' }],
  [{ address: { bus: '[0-' } }],
  [{ address: { bus: '[]' } }],
  [{ address: { bus: '[^]' } }],
  [{ address: { bus: '8[\\]' } }],
  [{ address: { bus: 86 } }],
  [{ address: 86 }],
  [{ address: ['0000:86:00.0'] }],
  [['10de']],
  ['10de'],
  [null],
])('nova-compute does not start with %j', (entry) => {
  expect(isAccepted(entry)).toBe(false)
})

test.each([
  [{}],
  [{ vendor_id: '0x10de', product_id: '0x1024' }],
  [{ vendor_id: ' 10de ' }],
  [{ vendor_id: ' * ' }],
  [{ address: '' }],
  [{ address: {} }],
  [{ address: null }],
  [{ address: '*:86:00.*' }],
  [{ address: ':86:' }],
  [{ address: { domain: '.*', bus: '86', slot: '00', function: '[0-1]' } }],
  [{ address: { bus: '[]8]6', slot: '[[]', function: '[^]a]' } }],
  [{ ...IDS, managed: 'No', live_migratable: true, one_time_use: 0 }],
  [{ devname: 'eth0' }],
])('nova-compute accepts %j', (entry) => {
  expect(isAccepted(entry)).toBe(true)
})

test('report_in_placement allows one_time_use, and no devname', () => {
  expect(isAccepted({ ...IDS, one_time_use: 'true' }, { isReported: true })).toBe(true)
  expect(isAccepted({ devname: 'eth0' }, { isReported: true })).toBe(false)
})

// nova/pci/devspec.py of 2024.1 has no _normalize_device_spec_tag, that of 2025.1 no one_time_use.
test('the booleans are read from Nova 31 on, one_time_use from 32', () => {
  expect(isAccepted({ ...IDS, managed: 'manual' }, { range: novaRange('2.96') })).toBe(true)
  expect(isAccepted({ ...IDS, one_time_use: 'true' }, { range: novaRange('2.96') })).toBe(true)
})

test('ids with 0x and an address by fields match as in Nova', () => {
  const card = { address: '0000:86:00.0', parentAddress: null, vendorId: '10de', deviceId: '1024' }
  const vf = { ...card, address: '0000:86:00.4', parentAddress: '0000:86:00.0' }
  const isMatch = (entry: object, device: PciFunction = card): boolean => {
    const { specs } = readDeviceSpecLine(JSON.stringify(entry), { range: NEWEST, isReported: false })
    return (specs ?? []).some((spec) => matchesDeviceSpec({ ...spec, source: '' }, device))
  }
  expect(isMatch({ vendor_id: '0x10de', product_id: '0x1024' })).toBe(true)
  expect(isMatch({ vendor_id: '-10de' })).toBe(false)
  // A PF named by an exact address means its VFs, as a text or by fields (WhitelistPciAddress.match).
  expect(isMatch({ address: '0:86:0.0' }, vf)).toBe(true)
  expect(isMatch({ address: { domain: '0000', bus: '86', slot: '00', function: '0' } }, vf)).toBe(true)
  expect(isMatch({ address: { bus: '86', slot: '00', function: '0' } }, vf)).toBe(false)
})
