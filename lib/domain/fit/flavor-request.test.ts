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
    [
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '^0,^3' },
      'resources=MEMORY_MB:8192,PCPU:2,VCPU:2',
    ],
    [{ 'resources:PCPU': '4' }, 'resources=MEMORY_MB:8192,PCPU:4'],
    [{ 'resources1:PCPU': '2', 'resources1:MEMORY_MB': '512' }, 'resources1=MEMORY_MB:512,PCPU:2'],
    [{ 'hw:cpu_policy': 'dedicated', 'resources:PCPU': '1' }, 'resources=MEMORY_MB:8192,PCPU:4'],
    [
      { 'hw:pci_numa_affinity_policy': 'socket', 'os:secure_boot': 'required', 'hw:tpm_version': '2.0' },
      'resources=MEMORY_MB:8192,VCPU:4&required=COMPUTE_SECURITY_TPM_2_0,COMPUTE_SECURITY_UEFI_SECURE_BOOT,COMPUTE_SOCKET_PCI_NUMA_AFFINITY',
    ],
    [{ 'resources:VGPU': '\u00a01' }, 'resources=MEMORY_MB:8192,VCPU:4,VGPU:1'],
    [{ 'resources:VGPU': '\u001f1' }, 'resources=MEMORY_MB:8192,VCPU:4'],
    [{ 'resources:VGPU': 'vgpu:1' }, 'resources=MEMORY_MB:8192,VCPU:4'],
  ])('%j', (extraSpecs, query) => {
    expect(queryOf(extraSpecs)).toBe(query)
  })

  it('has no group without resources and traits', () => {
    const extraSpecs = {
      'resources1:VGPU': '0',
      'trait2:CUSTOM_A': 'optional',
      'trait3:CUSTOM_A': 'required',
    }
    const { groups } = readFlavorRequest(buildFlavor({ name: 'f', extraSpecs }))
    expect(groups.map(({ suffix }) => suffix)).toEqual(['', '3'])
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
