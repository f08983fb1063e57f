import { expect, test } from 'vitest'
import { detect } from '@/lib/domain/testing/break-cloud'
import { k40cCloud } from '@/lib/domain/testing/k40c-cloud'

const SPEC = 'device_spec = {"vendor_id": "10de", "product_id": "1024"}'
const ALIAS = 'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}'
const ON = ['[filter_scheduler]', 'pci_in_placement = True']

const found = (lines: readonly string[], nova = '2.103') => {
  const conf = ['[pci]', SPEC, ...lines].join('\n')
  return detect(k40cCloud({ novaConf: conf, api: conf, nova })).findings.filter(
    ({ code }) => code === 'alias-invalid',
  )
}

// nova/pci/request.py (acc6221660, ae064caf16; bug 2111440).
test.each([
  ['only a name', ['alias = {"name": "gpu"}']],
  ['a vendor only', ['alias = {"name": "gpu", "vendor_id": "10de", "device_type": "type-PCI"}']],
  ['a class only', ['alias = {"name": "gpu", "resource_class": "CUSTOM_K40C"}']],
  ['a trailing comma', ['alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024",}']],
  ['an unknown key', [ALIAS.replace('device_type', 'dev_type')]],
  ['ids with 0x', ['alias = {"name": "gpu", "vendor_id": "0x10de", "product_id": "0x1024"}']],
  ['two NUMA policies', [ALIAS.replace('}', ', "numa_policy": "required"}'), ALIAS.replace('1024', '1025')]],
  [
    'one name twice without device_type',
    [ALIAS, ALIAS].map((line) => line.replace(', "device_type": "type-PCI"', '')),
  ],
])('%s is an error on every release', (_, lines) => {
  for (const nova of ['2.96', '2.100', '2.103']) {
    const [finding] = found(lines, nova)
    expect(finding?.severity).toBe('error')
    expect(JSON.stringify(finding)).toContain('nova-api')
  }
})

test('names the processes that do not start with it', () => {
  const details = (files: { novaConf?: string; api?: string }) =>
    detect(k40cCloud({ novaConf: `[pci]\n${SPEC}`, nova: '2.103', ...files })).findings.flatMap((finding) =>
      finding.code === 'alias-invalid' ? [JSON.stringify(finding)] : [],
    )
  const wrong = '[pci]\nalias = {"name": "gpu"}'
  const both = details({ novaConf: wrong, api: wrong }).join()
  expect(both).toContain('nova-compute and nova-api do not start with this alias.')
  const [ofApi, ...others] = details({ api: wrong })
  expect(others).toEqual([])
  expect(ofApi).toContain(' nova-api does not start with this alias.')
  expect(ofApi).not.toContain('nova-compute does not start')
})

test('what Nova accepts is none', () => {
  expect(found([ALIAS])).toEqual([])
  expect(found(['alias = {"name": "gpu", "resource_class": "CUSTOM_K40C"}', ...ON])).toEqual([])
  expect(found([ALIAS, ALIAS.replace('1024', '1025')])).toEqual([])
})

test('with pci_in_placement, which came with Nova 27, a name is one alias', () => {
  expect(found([ALIAS, ALIAS.replace('1024', '1025'), ...ON])).toHaveLength(2)
  expect(found([ALIAS, ALIAS.replace('1024', '1025'), ...ON], '2.93')).toEqual([])
})
