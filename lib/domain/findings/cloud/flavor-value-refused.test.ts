import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, spoken } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-value-refused'
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    flavors: spoken([
      buildFlavor({ name: 'good', extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' } }),
      buildFlavor({ name: 'odd', extraSpecs }),
    ]),
  })
const found = (extraSpecs: Record<string, string>) =>
  sentences(withFlavor(extraSpecs)).filter((text) => text.startsWith(CODE))

// Source: nova/pci/request.py _translate_alias_to_requests, `name, count in [spec.split(':') …]` and int(count).
it.each([
  ['gpu', 'gpu:1'],
  ['gpu=1', 'gpu:1'],
  ['gpu 2', 'gpu:2'],
  ['gpu:1,', 'gpu:1'],
  ['gpu:1;nic:2', 'gpu:1,nic:2'],
  ['gpu:two', null],
  ['gpu:1:2', null],
  ['gpu:1,nic', 'gpu:1,nic:1'],
  ['', null],
])('pci_passthrough:alias=%s', (value, meant) => {
  const input = withFlavor({ 'pci_passthrough:alias': value })
  expect(findOne(input, CODE)).toMatchObject({
    severity: 'error',
    sentence: `Nova refuses pci_passthrough:alias=${value} of odd: each entry must be NAME:COUNT`,
    command: meant === null ? null : expect.stringContaining(`pci_passthrough:alias=${meant}`),
  })
})

it.each(['gpu:1', ' gpu : 1 ', 'gpu: 1', 'gpu:1,gpu:1', 'my gpu:2'])('accepts the alias %s', (value) => {
  expect(found({ 'pci_passthrough:alias': value })).toEqual([])
})

// Source: nova/objects/fields.py PCINUMAAffinityPolicy, nova/virt/hardware.py get_pci_numa_policy_constraint.
it('an unknown NUMA policy', () => {
  const specs = { 'pci_passthrough:alias': 'gpu:1', 'hw:pci_numa_affinity_policy': 'prefered' }
  expect(findOne(withFlavor(specs), CODE).command).toBe(
    'openstack flavor set --property hw:pci_numa_affinity_policy=preferred odd',
  )
  expect(found({ 'pci_passthrough:alias': 'gpu:1', 'hw:pci_numa_affinity_policy': 'socket' })).toEqual([])
})
