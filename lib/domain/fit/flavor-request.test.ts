import { describe, expect, it } from 'vitest'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { candidatesQuery, gpuAmounts, readFlavorRequest } from './flavor-request'

const queryOf = (extraSpecs: Record<string, string>, rest = {}): string =>
  candidatesQuery(readFlavorRequest(buildFlavor({ name: 'f', diskGib: 0, extraSpecs, ...rest }))).slice(
    'GET /allocation_candidates?'.length,
  )

describe("Nova's query of a flavor", () => {
  it.each<[Record<string, string>, string]>([
    [
      { 'resources:VGPU': '1', 'trait:CUSTOM_A': 'required' },
      'resources=MEMORY_MB:8192,VCPU:4,VGPU:1&required=CUSTOM_A',
    ],
    [
      { 'resources:VGPU': '1', 'trait:CUSTOM_A': 'forbidden' },
      'resources=MEMORY_MB:8192,VCPU:4,VGPU:1&required=!CUSTOM_A',
    ],
    [
      {
        'resources1:VGPU': '1',
        'trait1:CUSTOM_A': 'required',
        'resources2:VGPU': '1',
        group_policy: 'isolate',
      },
      'resources=MEMORY_MB:8192,VCPU:4&resources1=VGPU:1&required1=CUSTOM_A&resources2=VGPU:1&group_policy=isolate',
    ],
    [{ 'resources_gpu:CUSTOM_X': '2' }, 'resources=MEMORY_MB:8192,VCPU:4&resources_gpu=CUSTOM_X:2'],
    [
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
      'resources=MEMORY_MB:8192,PCPU:5',
    ],
    [{ 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0-1' }, 'resources=MEMORY_MB:8192,PCPU:2,VCPU:2'],
    [{ 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '^0' }, 'resources=MEMORY_MB:8192,PCPU:3,VCPU:1'],
    [
      { 'hw:cpu_thread_policy': 'isolate' },
      'resources=MEMORY_MB:8192,VCPU:4&required=!HW_CPU_HYPERTHREADING',
    ],
    [{ 'resources:VCPU': '0' }, 'resources=MEMORY_MB:8192'],
    [{ 'resources:VGPU': 'vgpu:1' }, 'resources=MEMORY_MB:8192,VCPU:4'],
  ])('%j', (extraSpecs, query) => {
    expect(queryOf(extraSpecs)).toBe(query)
  })

  it('counts root, ephemeral and swap disk together, in whole gibibytes', () => {
    expect(queryOf({}, { diskGib: 20, ephemeralGib: 5, swapMib: 1025 })).toBe(
      'resources=DISK_GB:27,MEMORY_MB:8192,VCPU:4',
    )
  })

  it('adds amounts of a GPU class up over groups, and reads aliases', () => {
    const request = readFlavorRequest(
      buildFlavor({
        name: 'f',
        extraSpecs: {
          'resources1:VGPU': '1',
          'resources2:VGPU': '2',
          'pci_passthrough:alias': 'a40:1, t4:2',
        },
      }),
    )
    expect([...gpuAmounts(request)]).toEqual([['VGPU', 3]])
    expect(request.aliases).toEqual([
      { name: 'a40', count: 1 },
      { name: 't4', count: 2 },
    ])
  })
})
