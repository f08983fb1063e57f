import { expect, it } from 'vitest'
import type { NovaOption } from '@/lib/schemas/agent/inventory'
import { multiValues, splitList } from './effective-options'

it('drops commas at the end and the spaces around each entry', () => {
  expect(splitList(' a, b ,c,,, ')).toEqual(['a', 'b', 'c'])
  expect(splitList('a,,b')).toEqual(['a', '', 'b'])
})

it.each(['', ' ', ',', ',,,'])('finds no entry in %j', (value) => {
  expect(splitList(value)).toEqual([])
})

it('is done with commas that do not end the value, in many options of a report', () => {
  const value = `${','.repeat(16_383)}x`
  for (let option = 0; option < 192; option += 1) expect(splitList(value)).toHaveLength(16_384)
})

it('orders the values of a multi-valued option as Nova does: by file, old names first', () => {
  const option = (file: string, section: string, name: string, value: string): NovaOption => ({
    section,
    name,
    value,
    file,
    line: 1,
  })
  const config = {
    deployment: 'package' as const,
    files: ['a.conf', 'b.conf'],
    options: [
      option('a.conf', 'pci', 'device_spec', '1'),
      option('a.conf', 'pci', 'passthrough_whitelist', '2'),
      option('a.conf', 'DEFAULT', 'pci_passthrough_whitelist', '3'),
      option('a.conf', 'PCI', 'device_spec', '4'),
      option('b.conf', 'pci', 'passthrough_whitelist', '5'),
    ],
  }
  const found = multiValues(config, { section: 'pci', name: 'device_spec' })
  expect(found.map((each) => each.option.value)).toEqual(['3', '2', '1', '4', '5'])
})
