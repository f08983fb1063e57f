import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { flavorQuestion } from './explain-fit'
import { explainFit } from './testing/fit-at-once'

const queryOf = (alias: string, { isOn = true, aliases = 'gpu:1' } = {}): string => {
  const conf = `[pci]
report_in_placement = True
device_spec = {"vendor_id":"10de","product_id":"1024"}
${alias}${isOn ? '\n[filter_scheduler]\npci_in_placement = True' : ''}`
  const flavor = buildFlavor({ name: 'g1', extraSpecs: { 'pci_passthrough:alias': aliases } })
  const fleet = joinFleet(k40cCloud({ novaConf: conf, api: conf, flavors: [flavor], nova: '2.103' }))
  return explainFit(fleet, flavorQuestion(flavor)).query
}

const BY_IDS = 'alias = {"name":"gpu","vendor_id":"10de","product_id":"1024","device_type":"type-PCI"}'

// nova/objects/request_spec.py generate_request_groups_from_pci_requests (stable/2026.1).
test('with pci_in_placement the query has a group for each device of an alias', () => {
  expect(queryOf(BY_IDS)).toContain('resources_pci0-0=CUSTOM_PCI_10DE_1024:1')
  const named = queryOf(BY_IDS.replace('}', ',"resource_class":"k40c","traits":"fast"}'))
  expect(named).toContain('resources_pci0-0=CUSTOM_K40C:1')
  expect(named).toContain('required_pci0-0=CUSTOM_FAST')
  expect(named).not.toContain('group_policy')
})

test('several devices are separate groups, and Nova then names the policy', () => {
  const query = queryOf(BY_IDS, { aliases: 'gpu:2' })
  expect(query).toContain('resources_pci0-1=CUSTOM_PCI_10DE_1024:1')
  expect(query).toContain('group_policy=none')
})

// nova/pci/request.py _validate_multispec.
test('with pci_in_placement an alias of several entries requests nothing', () => {
  expect(queryOf(`${BY_IDS}\n${BY_IDS.replace('1024', '1023')}`)).not.toContain('CUSTOM_PCI')
})

test('without pci_in_placement the devices are not requested from Placement', () => {
  expect(queryOf(BY_IDS, { isOn: false })).not.toContain('CUSTOM_PCI')
})
