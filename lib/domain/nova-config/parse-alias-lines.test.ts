import { expect, test } from 'vitest'
import { novaRange } from './nova-releases'
import { parseAliasLines } from './parse-alias-lines'

const [ZED, EPOXY, GAZPACHO] = ['2.93', '2.100', '2.103'].map(novaRange)
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

test('a section without aliases reports that there are none; nothing reports nothing', () => {
  expect(parseAliasLines('[pci]')).toEqual({ problem: null, aliases: [], isByPlacement: null })
  expect(parseAliasLines('\n')).toMatchObject({ aliases: null, problem: expect.stringMatching(/^Paste/) })
})

test.each([
  ['another option', 'device_spec = {"vendor_id": "10de"}', /^Line 1 is not an alias/],
  ['no JSON', "alias = {'name': 'gpu'}", /^Line 1: .*not JSON/],
  ['no name', 'alias = {"vendor_id": "10de"}', /name/],
  ['an id with 0x', 'alias = {"name": "gpu", "vendor_id": "0x10de"}', /vendor_id .*four hexadecimal digits/],
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

// nova/pci/request.py: 26.2 has no _validate_aliases, 31.3.1 and 32.0.0 have it; 2.100 is 31.0 as well.
test.each([
  ['a name alone', '{"name": "gpu"}'],
  ['a vendor alone', '{"name": "gpu", "vendor_id": "10de"}'],
  ['a product alone', '{"name": "gpu", "product_id": "1eb8"}'],
])('%s is refused only where every Nova of the release refuses it', (_, alias) => {
  const text = `alias = ${alias}`
  for (const range of [ZED, EPOXY, null]) expect(parseAliasLines(text, range).problem).toBeNull()
  expect(parseAliasLines(text, GAZPACHO)).toMatchObject({
    aliases: null,
    problem: expect.stringMatching(/needs both vendor_id and product_id.*31\.3\.1/),
  })
})

test.each([
  ['resource_class', '"resource_class": "PGPU"'],
  ['traits', '"traits": "CUSTOM_A"'],
  ['live_migratable', '"live_migratable": "yes"'],
])('Zed does not know the key %s', (key, entry) => {
  const text = K40C.replace('}', `, ${entry}}`)
  expect(parseAliasLines(text, ZED)).toMatchObject({ aliases: null, problem: expect.stringContaining(key) })
  for (const range of [EPOXY, GAZPACHO, null]) expect(parseAliasLines(text, range).problem).toBeNull()
})

// oslo_config/iniparser.py: quotes around a value are removed, indented lines continue it, a blank line ends it.
test.each([
  ['single quotes', `alias = '{"name": "gpu"}'`],
  ['double quotes', `alias = "{"name": "gpu"}"`],
  ['several lines', 'alias = {"name": "gpu",\n  "vendor_id": "10de"\n  }'],
  ['a colon', 'alias: {"name": "gpu"}'],
  ['an indented block', '  [pci]\n  alias = {"name": "gpu"}\n  # a note\n  pci_alias = {"name": "gpu2"}'],
])('aliases are read as oslo.config reads them: %s', (_, text) => {
  const [alias] = parseAliasLines(text).aliases ?? []
  expect(alias).toMatchObject({ name: 'gpu' })
})

test.each([
  ['a value that ends at a blank line', 'alias = {"name": "gpu",\n\n  "vendor_id": "10de"}', /^Line 3/],
  ['a continuation without indentation', 'alias = {"name": "gpu",\n"vendor_id": "10de"}', /^Line 2/],
  ['an alias below an indented one', `${K40C}\n  alias = {"name": "gpu2"}`, /^Line 1/],
  ['an alias of another section', '[neutron]\nalias = {"name": "gpu"}', /^Line 2 is not an alias/],
])('what oslo.config cannot read is refused: %s', (_, text, problem) => {
  expect(parseAliasLines(text)).toMatchObject({ aliases: null, problem: expect.stringMatching(problem) })
})

test('pci_in_placement decides whether a class alone is enough', () => {
  const alias = 'alias = {"name": "gpu", "resource_class": "PGPU"}'
  expect(
    parseAliasLines(`[filter_scheduler]\npci_in_placement = True\n[pci]\n${alias}`, GAZPACHO),
  ).toMatchObject({
    problem: null,
    isByPlacement: true,
  })
  expect(parseAliasLines(alias, GAZPACHO)).toMatchObject({ problem: null, isByPlacement: null })
  expect(parseAliasLines(`pci_in_placement = False\n${alias}`, GAZPACHO)).toMatchObject({ aliases: null })
  expect(parseAliasLines(`pci_in_placement = False\n${alias}`)).toMatchObject({ problem: null })
})
