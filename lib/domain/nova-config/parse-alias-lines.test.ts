import { expect, test } from 'vitest'
import { parseAliasLines } from './parse-alias-lines'

const K40C = 'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}'

test('lines as they are copied, under the old name too', () => {
  const text = `[pci]\n# the K40c\n${K40C}\n\npci_alias={"vendor_id": "10de", "product_id":"1eb8", "name":"t4"}\n`
  expect(parseAliasLines(text)).toMatchObject({
    problem: null,
    aliases: [
      { name: 'gpu', product_id: '1024', device_type: 'type-PCI', source: 'line 3' },
      { name: 't4', product_id: '1eb8', source: 'line 5' },
    ],
  })
})

test('a section without aliases says that there are none; nothing says nothing', () => {
  expect(parseAliasLines('[pci]')).toEqual({ problem: null, aliases: [], isByPlacement: null })
  expect(parseAliasLines('\n')).toMatchObject({ aliases: null, problem: expect.stringMatching(/^Paste/) })
})

test.each([
  ['another option', 'device_spec = {"vendor_id": "10de"}', /^Line 1 is no alias/],
  ['no JSON', "alias = {'name': 'gpu'}", /^Line 1: .*not JSON/],
  ['no name', 'alias = {"vendor_id": "10de"}', /name/],
  ['an id with 0x', 'alias = {"name": "gpu", "vendor_id": "0x10de"}', /vendor_id .*four hexadecimal digits/],
  ['a name alone', 'alias = {"name": "gpu"}', /needs both vendor_id and product_id.*31\.3\.1/],
  [
    'one name twice without device_type',
    'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024"}\nalias = {"name": "gpu", "vendor_id": "10de", "product_id": "1023"}',
    /^Line 2: .*same device_type/,
  ],
  ['live_migratable that is no boolean', K40C.replace('}', ', "live_migratable": "maybe"}'), /not a boolean/],
  ['a switch that is no boolean', 'pci_in_placement = maybe', /must be True or False/],
  ['an unknown key', 'alias = {"name": "gpu", "model": "K40c"}', /model/],
  ['two kinds under one name', `${K40C}\n${K40C.replace('type-PCI', 'type-PF')}`, /device_type differs/],
  [
    'two NUMA policies',
    `${K40C}\n${K40C.replace('}', ', "numa_policy": "required"}')}`,
    /numa_policy differs/,
  ],
])('what Nova would refuse is refused: %s', (_, text, problem) => {
  expect(parseAliasLines(text)).toMatchObject({ aliases: null, problem: expect.stringMatching(problem) })
})

test('pci_in_placement beside the aliases decides whether a class alone is enough', () => {
  const alias = 'alias = {"name": "gpu", "resource_class": "PGPU"}'
  expect(parseAliasLines(`[filter_scheduler]\npci_in_placement = True\n[pci]\n${alias}`)).toMatchObject({
    problem: null,
    isByPlacement: true,
  })
  expect(parseAliasLines(alias)).toMatchObject({ problem: null, isByPlacement: null })
  expect(parseAliasLines(`pci_in_placement = False\n${alias}`)).toMatchObject({ aliases: null })
})
