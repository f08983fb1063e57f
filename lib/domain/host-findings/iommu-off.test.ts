import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const CODE = 'iommu-off'

const host = (iommuGroup: number | null, driver = 'vfio-pci'): Inventory =>
  buildInventory({
    cards: [{ address: '0000:86:00.0', deviceId: '1024', driver, iommuGroup }],
    novaConfig: novaConf(''),
  })

test('a passthrough card without an IOMMU group', () => {
  expect(sentencesOf(host(null), CODE)).toEqual([
    'error: the card is configured for passthrough, but has no IOMMU group',
  ])
  expect(sentencesOf(host(null), 'iommu-group-not-isolated')).toEqual([])
})

test('nothing where the card has a group, or is not for passthrough', () => {
  expect(sentencesOf(host(31), CODE)).toEqual([])
  expect(sentencesOf(host(null, 'nvidia'), CODE)).toEqual([])
})

test('nothing where the group could not be read', () => {
  const source = '/sys/bus/pci/devices/0000:86:00.0/iommu_group'
  const problems = [{ source, code: 'permission' as const, message: 'EACCES' }]
  expect(sentencesOf({ ...host(null), problems }, CODE)).toEqual([])
})
