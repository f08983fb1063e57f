import { expect, test } from 'vitest'
import {
  buildGuest,
  buildInventory,
  type CardSpec,
  novaConf,
  uuidOf,
} from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import type { GroupDevice, Inventory } from '@/lib/schemas/agent/inventory'

const CODE = 'iommu-group-not-isolated'
const CARD = '0000:65:00.0'

const member = (rest: Partial<GroupDevice> = {}): GroupDevice => ({
  address: '0000:65:00.1',
  classCode: '040300',
  vendorId: '10de',
  deviceId: '10f7',
  driver: 'snd_hda_intel',
  ...rest,
})

const hostWith = (device: GroupDevice, rest: Partial<Inventory> = {}, card: Partial<CardSpec> = {}) =>
  buildInventory({
    cards: [
      {
        address: CARD,
        deviceId: '1e30',
        driver: 'vfio-pci',
        iommuGroup: 31,
        iommuGroupMembers: [device.address],
        iommuGroupDevices: [device],
        ...card,
      },
    ],
    novaConfig: novaConf('[pci]\ndevice_spec = {"vendor_id": "10de", "product_id": "1e30"}'),
    ...rest,
  })

test('a sound function under its own driver keeps the card from guests', () => {
  expect(sentencesOf(hostWith(member()), CODE)).toEqual([
    'error: IOMMU group 31 is not isolated: held by snd_hda_intel',
  ])
})

test('bound to vfio-pci it is fine, and while a guest runs with the card the group is free as seen', () => {
  expect(sentencesOf(hostWith(member({ driver: 'vfio-pci' })), CODE)).toEqual([])
  const guests = [buildGuest({ uuid: uuidOf(1), name: 'render', pciDevices: [CARD] })]
  expect(sentencesOf(hostWith(member(), { guests }), CODE)).toEqual([])
})

test('two cards in one group go to one server', () => {
  const other: CardSpec = { address: '0000:66:00.0', deviceId: '1e30', driver: 'vfio-pci', iommuGroup: 31 }
  const device = member({ address: other.address, classCode: '030000', driver: 'vfio-pci' })
  const inventory = hostWith(device)
  const both = buildInventory({
    cards: [
      {
        address: CARD,
        deviceId: '1e30',
        driver: 'vfio-pci',
        iommuGroup: 31,
        iommuGroupMembers: [other.address],
        iommuGroupDevices: [device],
      },
      other,
    ],
    novaConfig: inventory.novaConfig,
  })
  expect(sentencesOf(both, CODE)).toEqual([
    'warning: IOMMU group 31 is shared with 0000:66:00.0, so one server gets both',
  ])
})

test('a sliced card is not checked, nor one whose agent does not report the group', () => {
  expect(sentencesOf(hostWith(member(), { novaConfig: novaConf('') }, { driver: 'nvidia' }), CODE)).toEqual(
    [],
  )
  const old = hostWith(member())
  for (const gpu of old.gpus) delete gpu.iommuGroupDevices
  expect(sentencesOf(old, CODE)).toEqual([])
})
