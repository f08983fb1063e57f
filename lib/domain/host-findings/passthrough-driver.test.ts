import { expect, test } from 'vitest'
import { buildGuest, buildInventory, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const CODE = 'passthrough-driver'
const CARD = '0000:86:00.0'

const host = (driver: string | null, more = '', rest: Partial<Inventory> = {}): Inventory =>
  buildInventory({
    cards: [{ address: CARD, deviceId: '1024', driver }],
    novaConfig: novaConf(`[pci]\ndevice_spec = {"vendor_id": "10de", "product_id": "1024"${more}}`),
    ...rest,
  })

test('a card for passthrough that a driver of the host holds', () => {
  expect(sentencesOf(host('nouveau'), CODE)).toEqual([
    'warning: the card is for passthrough, but it is bound to nouveau',
  ])
})

test.each([
  ['nouveau', 'nouveau'],
  [null, 'no driver'],
])('with "managed": "no" %s is an error: no one binds it', (driver, words) => {
  expect(sentencesOf(host(driver, ', "managed": "no"'), CODE)).toEqual([
    `error: the card is bound to ${words}, and nova.conf has "managed": "no"`,
  ])
})

test('a running guest whose card another driver holds', () => {
  const guests = [buildGuest({ uuid: uuidOf(1), name: 'train', pciDevices: [CARD] })]
  expect(sentencesOf(host('nvidia', '', { guests }), CODE)).toEqual([
    'warning: train uses the card, but it is bound to nvidia',
  ])
})

test.each(['vfio-pci', 'nvgrace_gpu_vfio_pci', null])('%s is fine where libvirt binds', (driver) => {
  expect(sentencesOf(host(driver), CODE)).toEqual([])
})

test('nothing is stated while the guests or nova.conf are not known', () => {
  expect(sentencesOf(host('nouveau', '', { guests: null }), CODE)).toEqual([])
  expect(sentencesOf({ ...host('nouveau'), novaConfig: null }, CODE)).toEqual([])
})

const flex = (drivers: (string | null)[], more: string, rest: Partial<Inventory> = {}): Inventory =>
  buildInventory({
    cards: [
      {
        address: '0000:4d:00.0',
        vendorId: '8086',
        deviceId: '56c0',
        vfDeviceId: '56c0',
        driver: 'xe',
        functions: drivers.map((driver, n) => ({ address: `0000:4d:00.${n + 1}`, driver })),
      },
    ],
    novaConfig: novaConf(
      `[pci]\ndevice_spec = {"vendor_id": "8086", "product_id": "56c0"${more}}\nalias = {"name": "flex", "vendor_id": "8086", "product_id": "56c0", "device_type": "type-VF"}`,
    ),
    ...rest,
  })

// Intel Flex and Arc Pro: the driver of the host takes new VFs (sriov_drivers_autoprobe).
test('VFs that libvirt is not to bind are found while a driver of the host has them', () => {
  expect(sentencesOf(flex(['xe', 'xe', 'xe-vfio-pci'], ', "managed": "no"'), CODE)).toEqual([
    'error: 2 VFs are bound to xe, and nova.conf has "managed": "no"',
  ])
  const guests = [buildGuest({ uuid: uuidOf(1), name: 'train', pciDevices: ['0000:4d:00.1'] })]
  expect(sentencesOf(flex(['xe', 'vfio-pci'], ', "managed": "no"', { guests }), CODE)).toEqual([])
  expect(sentencesOf(flex(['xe', 'xe'], ''), CODE)).toEqual([])
})
