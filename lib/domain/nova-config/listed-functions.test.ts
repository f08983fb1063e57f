import { expect, test } from 'vitest'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { readDeviceSpecs } from './device-spec'
import { listedIn, namesCard } from './listed-functions'

const CARD = {
  address: '0000:c8:00.0',
  vendorId: '10de',
  deviceId: '26b9',
  virtualFunctions: [{ address: '0000:c8:00.4' }, { address: '0000:c8:00.5' }],
}

const specsOf = (...lines: string[]) =>
  readDeviceSpecs(novaConf(`[pci]\n${lines.map((line) => `device_spec = ${line}`).join('\n')}`)).specs

test('the first entry that fits hands a function out', () => {
  const specs = specsOf('{"address": "0000:c8:00.5", "resource_class": "A"}', '{"address": "0000:c8:00.*"}')
  expect(listedIn(specs, CARD).map(({ address, isVf, spec }) => [address, isVf, spec.source.at(-1)])).toEqual(
    [
      ['0000:c8:00.0', false, '3'],
      ['0000:c8:00.4', true, '3'],
      ['0000:c8:00.5', true, '2'],
    ],
  )
})

test('an entry for another card of the host takes no VF of NVIDIA’s', () => {
  const [k40c, own] = specsOf('{"vendor_id": "10de", "product_id": "1024"}', '{"product_id": "26B9"}')
  if (k40c === undefined || own === undefined) throw new Error('two entries')
  expect(namesCard(k40c, CARD)).toBe(false)
  expect(namesCard(own, CARD)).toBe(true)
  expect(listedIn([k40c, own], CARD)).toHaveLength(3)
  expect(listedIn([k40c], { ...CARD, vendorId: '8086' })).toEqual([])
})

test('a virtual parent is no PCI device', () => {
  expect(listedIn(specsOf('{}'), { ...CARD, address: 'mtty', vendorId: null, virtualFunctions: [] })).toEqual(
    [],
  )
})
