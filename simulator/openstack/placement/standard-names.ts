import type { PlacementState } from './placement-state'

/** The classes of os-resource-classes. */
export const STANDARD_CLASSES = [
  'VCPU',
  'MEMORY_MB',
  'DISK_GB',
  'PCI_DEVICE',
  'SRIOV_NET_VF',
  'NUMA_SOCKET',
  'NUMA_CORE',
  'NUMA_THREAD',
  'NUMA_MEMORY_MB',
  'IPV4_ADDRESS',
  'VGPU',
  'VGPU_DISPLAY_HEAD',
  'NET_BW_EGR_KILOBIT_PER_SEC',
  'NET_BW_IGR_KILOBIT_PER_SEC',
  'PCPU',
  'MEM_ENCRYPTION_CONTEXT',
  'FPGA',
  'PGPU',
  'NET_PACKET_RATE_KILOPACKET_PER_SEC',
  'NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC',
  'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC',
] as const

/** Those of os-traits that compute hosts and GPUs carry; the library has several hundred. */
export const STANDARD_TRAITS = [
  'COMPUTE_ACCELERATORS',
  'COMPUTE_DEVICE_TAGGING',
  'COMPUTE_MANAGED_PCI_DEVICE',
  'COMPUTE_NODE',
  'COMPUTE_STATUS_DISABLED',
  'COMPUTE_TRUSTED_CERTS',
  'COMPUTE_VOLUME_EXTEND',
  'HW_CPU_X86_AVX2',
  'HW_CPU_X86_AVX512F',
  'HW_CPU_X86_VMX',
  'HW_GPU_API_VULKAN',
  'HW_GPU_CUDA_COMPUTE_CAPABILITY_V6_1',
  'HW_GPU_CUDA_COMPUTE_CAPABILITY_V7_0',
  'HW_GPU_CUDA_COMPUTE_CAPABILITY_V7_2',
  'HW_NUMA_ROOT',
  'HW_PCI_LIVE_MIGRATABLE',
  'MISC_SHARES_VIA_AGGREGATE',
  'OWNER_CYBORG',
  'OWNER_NOVA',
] as const

const CLASSES = new Set<string>(STANDARD_CLASSES)
const TRAITS = new Set<string>(STANDARD_TRAITS)

export const isStandardClass = (name: string): boolean => CLASSES.has(name)
export const isStandardTrait = (name: string): boolean => TRAITS.has(name)

export const isKnownClass = (state: PlacementState, name: string): boolean =>
  CLASSES.has(name) || state.customClasses.has(name)

export const isKnownTrait = (state: PlacementState, name: string): boolean =>
  TRAITS.has(name) || state.customTraits.has(name)

export const isCustomName = (name: string): boolean => /^CUSTOM_[A-Z0-9_]+$/.test(name) && name.length <= 255
