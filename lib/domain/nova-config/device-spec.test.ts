import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import {
  type DeviceSpec,
  deviceSpecFault,
  matchesDeviceSpec,
  type PciFunction,
  readDeviceSpecLine,
  readDeviceSpecs,
  specFinder,
} from './device-spec'
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

const K40C: PciFunction = {
  address: '0000:86:00.0',
  parentAddress: null,
  vendorId: '10de',
  deviceId: '1024',
}
const VF: PciFunction = {
  address: '0000:c8:00.4',
  parentAddress: '0000:c8:00.0',
  vendorId: '10de',
  deviceId: null,
}

const isMatch = (json: string, device = K40C): boolean =>
  readDeviceSpecs(novaConf(`[pci]\ndevice_spec = ${json}`)).specs.some((spec) =>
    matchesDeviceSpec(spec, device),
  )

describe('reading', () => {
  it('takes objects and lists of every line and name', () => {
    const { specs, malformed } = readDeviceSpecs(
      novaConf(`pci_passthrough_whitelist = [{"vendor_id": "10de", "product_id":"1024"}]
[pci]
passthrough_whitelist = {"address":"0000:86:00.0"}
device_spec = {"vendor_id":"1002"}
device_spec = [{"vendor_id":"8086"},{"devname":"eth0"}]`),
    )
    expect(specs).toHaveLength(5)
    expect(specs[0]?.source).toBe('/etc/nova/nova.conf:1')
    expect(malformed).toEqual([])
  })

  it.each(['{vendor_id: 10de}', '"10de"', '[1]', '', '{"vendor_id": 4318}'])('refuses %s', (json) => {
    expect(readDeviceSpecs(novaConf(`[pci]\ndevice_spec = ${json}`)).malformed).toHaveLength(1)
  })
})

describe('matching', () => {
  it.each([
    ['{"vendor_id":"10de","product_id":"1024"}', true],
    ['{"vendor_id":"10DE","product_id":"1024"}', true],
    ['{"vendor_id":"10de","product_id":"1eb8"}', false],
    ['{"vendor_id":"1002"}', false],
    ['{"vendor_id":"*"}', true],
    ['{"vendor_id":"10de","address":0}', true],
    ['{"vendor_id":"10de","address":false,"devname":{}}', true],
    // Tags that are not read without PCI in Placement.
    ['{"vendor_id":"10de","resource_class":5,"traits":["A"]}', true],
    ['{"vendor_id":"10de","resource_class":{},"traits":0}', true],
    ['{}', true],
    ['{"address":"0000:86:00.0"}', true],
    ['{"address":"0000:86:00.1"}', false],
    ['{"address":"*:86:00.*"}', true],
    ['{"address":"*:87:00.*"}', false],
    ['{"address":":86:00."}', true],
    ['{"address":"86:00.0"}', true],
    // Python's re.match is satisfied by the begin of a text.
    ['{"address":{"domain":"0","bus":"8","slot":"0","function":"0"}}', true],
    ['{"address":"0:86:0.0"}', true],
    ['{"address":{"domain":".*","bus":"86","slot":"00","function":"[0-2]"}}', true],
    ['{"address":{"bus":"8[7-9]"}}', false],
    ['{"address":{"bus":"("}}', false],
    ['{"devname":"eth0"}', false],
    ['{"address":"a:b:c:d:e"}', false],
  ])('%s → %s', (json, expected) => {
    expect(isMatch(json)).toBe(expected)
  })

  it("assigns a PF's VFs when its full address is named", () => {
    expect(isMatch('{"address":"0000:c8:00.0"}', VF)).toBe(true)
    expect(isMatch('{"address":"*:c9:*.*"}', VF)).toBe(false)
  })
})

it('a pattern of a host that would keep JavaScript busy for hours is read in no time', () => {
  const startedAt = performance.now()
  const hostile = { domain: '(?:.?){99}x', bus: '(?:(?:.?){99}){99}x', slot: '(?:a?){99}b', function: '.*' }
  expect(isMatch(JSON.stringify({ address: hostile }))).toBe(false)
  expect(isMatch(JSON.stringify({ address: { domain: '(?:.?){99}' } }))).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

describe('finding', () => {
  const address = fc.constantFrom(
    ...['0000:86:00.0', '0000:86:00.1', '0:86:0.0', '86:00.1', '*:86:00.*', '', 'odd'],
    ...[{ domain: '0000', bus: '86', slot: '00', function: '1' }, { function: '[01]' }],
  )
  const spec = fc.record(
    {
      source: fc.constant(''),
      address,
      vendor_id: fc.constantFrom('10de', '1002', '*'),
      product_id: fc.constantFrom('1024', '1EB8'),
      devname: fc.constant('eth0'),
    },
    { requiredKeys: ['source'] },
  )
  const device = fc.record<PciFunction>({
    address: fc.constantFrom('0000:86:00.0', '0000:86:00.1', '0000:86:00.2'),
    parentAddress: fc.constantFrom(null, '0000:86:00.0', '0000:86:00.1'),
    vendorId: fc.constantFrom(null, '10de'),
    deviceId: fc.constantFrom(null, '1024'),
  })

  it('gives the first entry that matches', () => {
    fc.assert(
      fc.property(fc.array(spec), device, (specs: DeviceSpec[], one) => {
        const first = specs.find((entry) => matchesDeviceSpec(entry, one)) ?? null
        expect(specFinder(specs, (entry) => entry)(one)).toBe(first)
      }),
      { numRuns: 1000 },
    )
  })
})
