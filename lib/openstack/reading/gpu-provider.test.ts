import { expect, it } from 'vitest'
import { isGpuProvider } from './gpu-provider'

const provider = (name: string, classes: readonly string[] | null, parentUuid: string | null = 'root') => {
  const inventory = {
    capacity: 1,
    used: 0,
    total: null,
    reserved: null,
    allocationRatio: null,
    minUnit: null,
    maxUnit: null,
    stepSize: null,
  }
  return {
    uuid: 'u',
    name,
    generation: 1,
    parentUuid,
    rootUuid: 'root',
    traits: [],
    aggregateUuids: null,
    inventories: classes === null ? null : Object.fromEntries(classes.map((name) => [name, inventory])),
  }
}

it.each([
  ['an mdev parent', 'cmp1_pci_0000_84_00_0', ['VGPU'], true],
  ['an mdev parent with a separate class', 'cmp1_pci_0000_84_00_0', ['CUSTOM_A40_4Q'], true],
  ['a vendor VFIO card', 'cmp1_0000:84:00.0', ['CUSTOM_A16_8A'], true],
  ['a provider whose inventory is unknown, by its name', 'cmp1_pci_0000_84_00_0', null, true],
  ['VGPU on the root, as before Stein', 'cmp1', ['VCPU', 'VGPU'], true],
  ['a compute root', 'cmp1', ['VCPU', 'MEMORY_MB', 'CUSTOM_LICENSE'], false],
  ['a NUMA node', 'cmp1_NUMA_0', ['PCPU'], false],
  ['a NUMA node whose inventory is unknown', 'cmp1_NUMA_0', null, false],
])('reports %s', (_what, name, classes, expected) => {
  expect(isGpuProvider(provider(name, classes))).toBe(expected)
})
