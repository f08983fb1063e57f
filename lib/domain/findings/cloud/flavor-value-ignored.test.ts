import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-value-ignored'
const GOOD = { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }
/** Adds the flavor under test to the healthy one, so that there is no other problem. */
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    flavors: readPart([
      buildFlavor({ name: 'good', extraSpecs: GOOD }),
      buildFlavor({ name: 'odd', extraSpecs }),
    ]),
  })
const codesOf = (extraSpecs: Record<string, string>) =>
  sentences(withFlavor(extraSpecs)).map((text) => text.split(':')[0])

it.each([
  ['resources:VGPU', 'vgpu:1', 'the amount must be a whole number'],
  ['resources:VGPU', '1.0', 'the amount must be a whole number'],
  ['trait:CUSTOM_T4_4C', 'yes', 'only required and forbidden are known'],
])('%s=%s', (key, value, because) => {
  expect(codesOf({ [key]: value })).toEqual([CODE])
  expect(findOne(withFlavor({ [key]: value }), CODE)).toMatchObject({
    sourceToCorrect: 'nova',
    subject: { kind: 'flavor', id: 'odd' },
    sentence: `Nova ignores ${key}=${value} of odd: ${because}`,
  })
})

it('what Python reads as a number is fine', () => {
  expect(codesOf({ ...GOOD, 'resources:VGPU': ' 1 ' })).toEqual([])
})

// Source: nova/scheduler/utils.py ResourceRequest.XS_KEYPAT, nova/objects/request_spec.py RequestGroup.add_resource:
// an unknown key or class leaves one line in the log, and the server starts without a GPU.
it.each([
  ['resources:vgpu', '1', 'resources:VGPU=1'],
  ['resources:Vgpu', '2', 'resources:VGPU=2'],
  ['resources:GPU', '1', 'resources:VGPU=1'],
  ['resources: VGPU', '1', 'resources:VGPU=1'],
  ['resources1:vgpus', '1', 'resources1:VGPU=1'],
  ['resources:custom_t4', '1', 'resources:CUSTOM_T4=1'],
  ['resources:T4', '1', null],
  ['resource:VGPU', '1', 'resources:VGPU=1'],
  ['resource:vgpu', '1', 'resources:VGPU=1'],
  ['resource1:VGPU', '1', 'resources1:VGPU=1'],
  ['Resources:VGPU', '1', 'resources:VGPU=1'],
  ['resouces:VGPU', '1', 'resources:VGPU=1'],
  ['ressources:VGPU', '1', 'resources:VGPU=1'],
  ['resources_VGPU', '1', 'resources:VGPU=1'],
  ['resources.VGPU', '1', 'resources:VGPU=1'],
  ['resources1VGPU', '1', 'resources1:VGPU=1'],
  ['resource:CUSTOM_T4', '1', 'resources:CUSTOM_T4=1'],
  ['resources:VGPU', '0', 'resources:VGPU=1'],
  ['resources:VGPU', 'vgpu:3', 'resources:VGPU=3'],
  ['Trait:CUSTOM_T4_4C', 'required', 'trait:CUSTOM_T4_4C=required'],
  ['pci_passthrough_alias', 'gpu:1', 'pci_passthrough:alias=gpu:1'],
  ['pci_passthrough:aliases', 'gpu:1', 'pci_passthrough:alias=gpu:1'],
  ['pci-passthrough:alias', 'gpu', 'pci_passthrough:alias=gpu:1'],
  ['pci_alias', 'gpu:1', 'pci_passthrough:alias=gpu:1'],
  ['hw:pci_numa_policy', 'preferred', 'hw:pci_numa_affinity_policy=preferred'],
  ['hw:pci_numa_affinity', 'required', 'hw:pci_numa_affinity_policy=required'],
  ['pci_passthrough:alias', 'gpu:0', 'pci_passthrough:alias=gpu:1'],
])('%s=%s requests nothing', (key, value, meant) => {
  const { severity, sentence, command } = findOne(withFlavor({ [key]: value }), CODE)
  expect(severity).toBe('error')
  expect(sentence).toContain(`Nova ignores ${key}=${value} of odd: `)
  if (meant === null) expect(command).toBeNull()
  else expect(command).toContain(meant)
  if (meant !== null && !meant.startsWith(`${key}=`)) expect(command).toContain('openstack flavor unset')
})

it.each([
  ['vgpu', '1'],
  ['hw:gpu', '2'],
  ['gpu_count', '1'],
])('%s=%s is a hint while no aggregate has the key', (key, value) => {
  const input = withFlavor({ [key]: value })
  expect(findOne(input, CODE).severity).toBe('warning')
  const aggregate = {
    id: 1,
    uuid: 'a1',
    name: 'gpus',
    availabilityZone: null,
    hosts: [],
    metadata: { [key]: value },
  }
  expect(codesOf({ ...GOOD, [key]: value })).toEqual([])
  expect(sentences(withFacts(input, { aggregates: readPart([aggregate]) })).join()).not.toContain(CODE)
})

it.each([
  ['resource_pool', 'gold'],
  ['train:line', '4'],
  ['accel:device_profile', 'vgpu'],
  ['capabilities:gpu', '1'],
  ['aggregate_instance_extra_specs:gpu', '1'],
  ['resources:VCPU', '0'],
  ['hw:cpu_policy', 'shared'],
])('%s=%s is not a request for a GPU', (key, value) => {
  expect(codesOf({ [key]: value })).not.toContain(CODE)
})

it('a stray key next to the right one is removed, and the right amount stays', () => {
  const input = withFlavor({ 'resources:VGPU': '2', 'resource:VGPU': '1' })
  expect(findOne(input, CODE)).toMatchObject({
    nextStep: 'Remove resource:VGPU: the flavor already has resources:VGPU.',
    command: 'openstack flavor unset --property resource:VGPU odd',
  })
})

it('a key is never read as an option', () => {
  const { command } = findOne(withFlavor({ '-resources:VGPU': '1' }), CODE)
  expect(command).toContain('openstack flavor unset --property=-resources:VGPU odd')
})
