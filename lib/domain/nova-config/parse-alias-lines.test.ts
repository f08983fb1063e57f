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
  expect(parseAliasLines('[pci]')).toEqual({ problem: null, aliases: [] })
  expect(parseAliasLines('\n')).toMatchObject({ aliases: null, problem: expect.stringMatching(/^Paste/) })
})

test.each([
  ['another option', 'device_spec = {"vendor_id": "10de"}', /^Line 1 is no alias/],
  ['no JSON', "alias = {'name': 'gpu'}", /^Line 1 is no JSON/],
  ['no name', 'alias = {"vendor_id": "10de"}', /name/],
  ['an id with 0x', 'alias = {"name": "gpu", "vendor_id": "0x10de"}', /vendor_id: must be four hex digits/],
  ['an unknown key', 'alias = {"name": "gpu", "model": "K40c"}', /model/],
  ['two kinds under one name', `${K40C}\n${K40C.replace('type-PCI', 'type-PF')}`, /different device types/],
  ['two NUMA policies', `${K40C}\n${K40C.replace('}', ', "numa_policy": "required"}')}`, /different NUMA/],
])('what Nova would refuse is refused: %s', (_, text, problem) => {
  expect(parseAliasLines(text)).toMatchObject({ aliases: null, problem: expect.stringMatching(problem) })
})
