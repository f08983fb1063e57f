import { expect, it } from 'vitest'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { tagDeviceSpecs } from './device-spec-traits'

const CARD = { address: '0000:41:00.0', parentAddress: null, vendorId: '10de', deviceId: '26b9' }
const VF = { address: '0000:41:00.4', parentAddress: CARD.address, vendorId: '10de', deviceId: null }

const tag = (pci: string, { functions = [CARD, VF], on = ['CUSTOM_L40S_8Q'], off = [] as string[] } = {}) =>
  tagDeviceSpecs(novaConf(`[pci]\n${pci}`), { functions, on, off })

it('a line gets the trait in addition to its current content, unknown keys included', () => {
  const line =
    '{"address": "0000:41:00.*", "vendor_id":"10de", "managed": "no", "later": 1, "traits": "CUSTOM_RACK_7"}'
  expect(tag(`device_spec = ${line}`)).toEqual([
    {
      source: '/etc/nova/nova.conf:2',
      before: `device_spec = ${line}`,
      after:
        'device_spec = {"address": "0000:41:00.*", "vendor_id": "10de", "managed": "no", "later": 1, "traits": "CUSTOM_L40S_8Q,CUSTOM_RACK_7"}',
      functions: [CARD.address, VF.address],
    },
  ])
})

it('traits of other types go, and what exists already is listed once', () => {
  const [line] = tag(
    'device_spec = {"address": "0000:41:00.*", "traits": "CUSTOM_L40S_8Q, CUSTOM_L40S_48Q"}',
    {
      off: ['CUSTOM_L40S_48Q'],
    },
  )
  expect(line?.after).toContain('"traits": "CUSTOM_L40S_8Q"}')
})

it('the first line that fits a device is its line, as Nova takes it; others stay', () => {
  const lines = tag(
    'device_spec = {"address": "0000:81:00.0"}\npassthrough_whitelist = {"address": "0000:41:00.4"}\ndevice_spec = {"vendor_id": "10de"}',
    { functions: [VF] },
  )
  expect(lines.map(({ source }) => source)).toEqual(['/etc/nova/nova.conf:3'])
  expect(lines[0]?.after).toMatch(/^passthrough_whitelist = /)
})

it('of a list only the entry that fits is touched', () => {
  const [line] = tag('device_spec = [{"address": "0000:81:00.0"}, {"address": "0000:41:00.0"}]')
  expect(JSON.parse(line?.after.replace('device_spec = ', '') ?? '')).toEqual([
    { address: '0000:81:00.0' },
    { address: '0000:41:00.0', traits: 'CUSTOM_L40S_8Q' },
  ])
})

it('lines that are no JSON, or of other devices, are none', () => {
  expect(tag('device_spec = {address: 1}\ndevice_spec = {"vendor_id": "8086"}')).toEqual([])
})
