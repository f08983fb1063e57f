import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { l40sCloud } from '@/lib/domain/testing/l40s-cloud'

const CODE = 'flavor-value-refused'
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    flavors: readPart([
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

// Source: nova/pci/request.py _translate_alias_to_requests, PciRequestAliasNotDefined.
it.each([
  ['L40S-16Q:1', 'l40s-16q:1', 'L40S-16Q'],
  ['l40s_16q:2', 'l40s-16q:2', 'l40s_16q'],
  ['l40s-16q:1,L40s-16q:1', 'l40s-16q:1,l40s-16q:1', 'L40s-16q'],
  ['my-L40S-16Q:1,L40S-16Q:1', 'my-L40S-16Q:1,l40s-16q:1', 'L40S-16Q'],
])("an alias that Nova's API has in another spelling: %s", (value, meant, name) => {
  const flavors = [buildFlavor({ name: 'g', extraSpecs: { 'pci_passthrough:alias': value } })]
  expect(findOne(l40sCloud({ typed: 3, flavors }), CODE)).toMatchObject({
    sentence: `Nova refuses pci_passthrough:alias=${value} of g: Nova's API has no alias ${name}, only l40s-16q`,
    command: `openstack flavor set --property ${meant.includes(',') ? `'pci_passthrough:alias=${meant}'` : `pci_passthrough:alias=${meant}`} g`,
  })
})

it('a misspelled alias without a count is one finding', () => {
  const flavors = [buildFlavor({ name: 'g', extraSpecs: { 'pci_passthrough:alias': 'L40S-16Q' } })]
  expect(findOne(l40sCloud({ typed: 3, flavors }), CODE).sentence).toContain('each entry must be NAME:COUNT')
})

it('an unknown alias of another name, and one of an API that no agent reads, are not judged', () => {
  const codesOf = (alias: string, cloud: (flavors: Flavor[]) => FleetFacts) =>
    sentences(cloud([buildFlavor({ name: 'g', extraSpecs: { 'pci_passthrough:alias': alias } })])).filter(
      (text) => text.startsWith(CODE),
    )
  expect(codesOf('nic:1', (flavors) => l40sCloud({ typed: 3, flavors }))).toEqual([])
  expect(codesOf('L40S-16Q:1', (flavors) => withFacts(t4Cloud(), { flavors: readPart(flavors) }))).toEqual([])
})
