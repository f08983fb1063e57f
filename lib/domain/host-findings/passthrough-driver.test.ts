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
    'warning: it is to be handed out whole, but it is bound to nouveau',
  ])
})

test.each([
  ['nouveau', 'nouveau'],
  [null, 'no driver'],
])('with "managed": "no" %s is an error: nobody binds it', (driver, words) => {
  expect(sentencesOf(host(driver, ', "managed": "no"'), CODE)).toEqual([
    `error: it is bound to ${words}, and nova.conf says that libvirt does not bind it`,
  ])
})

test('a running guest whose card another driver holds', () => {
  const guests = [buildGuest({ uuid: uuidOf(1), name: 'train', pciDevices: [CARD] })]
  expect(sentencesOf(host('nvidia', '', { guests }), CODE)).toEqual([
    'warning: train holds it, but it is bound to nvidia',
  ])
})

test.each(['vfio-pci', 'nvgrace_gpu_vfio_pci', null])('%s is fine where libvirt binds', (driver) => {
  expect(sentencesOf(host(driver), CODE)).toEqual([])
})

test('nothing is said while the guests or nova.conf are not known', () => {
  expect(sentencesOf(host('nouveau', '', { guests: null }), CODE)).toEqual([])
  expect(sentencesOf({ ...host('nouveau'), novaConfig: null }, CODE)).toEqual([])
})
