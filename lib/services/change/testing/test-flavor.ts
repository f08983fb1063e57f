import type { Flavor } from '@/simulator/openstack/nova/nova-state'

/** Requests T4-8C and no other type, so that a test boot is scheduled to the changed pGPU. */
export const TEST_FLAVOR: Flavor = {
  id: 'c0f7a1de-8c55-4f0e-9f0a-6f2f6f9e0001',
  name: 'test.t4-8c',
  vcpus: 1,
  memoryMib: 1024,
  diskGib: 1,
  ephemeralGib: 0,
  swapMib: 0,
  isPublic: true,
  isDisabled: false,
  description: null,
  extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_GRID_T4_8C': 'required' },
  projectIds: [],
}
