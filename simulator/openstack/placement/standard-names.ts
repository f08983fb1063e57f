import { STANDARD_CLASSES } from '@/lib/domain/nova-config/standard-classes'
import type { PlacementState } from './placement-state'

const prefixed = (prefix: string, names: string): string[] =>
  names.split(' ').map((name) => `${prefix}_${name}`)

/** Those of os-traits that compute hosts and GPUs carry; the library has several hundred. */
export const STANDARD_TRAITS: readonly string[] = [
  ...prefixed('COMPUTE', 'ACCELERATORS DEVICE_TAGGING MANAGED_PCI_DEVICE NODE STATUS_DISABLED TRUSTED_CERTS'),
  ...prefixed('COMPUTE', 'VOLUME_EXTEND MIGRATE_AUTO_CONVERGE RESCUE_BFV NET_ATTACH_INTERFACE'),
  ...prefixed('HW_CPU_X86', 'AVX AVX2 AVX512F AVX512BW MMX SSE SSE2 SSE41 SSE42 SVM VMX AMD_SVM INTEL_VMX'),
  'HW_CPU_HYPERTHREADING',
  ...prefixed('HW_GPU_API', 'DIRECT3D_V12_0 OPENCL_V2_0 OPENGL_V4_5 VULKAN VXGI'),
  ...prefixed('HW_GPU_CUDA_COMPUTE_CAPABILITY', 'V5_2 V6_0 V6_1 V7_0 V7_1 V7_2'),
  ...prefixed('HW_GPU_CUDA_SDK', 'V8_0 V9_0 V9_1 V9_2 V10_0'),
  ...prefixed('HW_GPU_MAX_DISPLAY_HEADS', '1 2 4 8'),
  ...prefixed('HW_GPU_RESOLUTION', 'W1920H1080 W2560H1600 W3840H2160 W7680H4320'),
  'HW_NUMA_ROOT',
  ...prefixed('HW_PCI', 'LIVE_MIGRATABLE ONE_TIME_USE'),
  'MISC_SHARES_VIA_AGGREGATE',
  ...prefixed('OWNER', 'CYBORG NOVA'),
]

const TRAITS = new Set<string>(STANDARD_TRAITS)

export const isStandardClass = (name: string): boolean => STANDARD_CLASSES.has(name)
export const isStandardTrait = (name: string): boolean => TRAITS.has(name)

export const isKnownClass = (state: PlacementState, name: string): boolean =>
  STANDARD_CLASSES.has(name) || state.customClasses.has(name)

export const isKnownTrait = (state: PlacementState, name: string): boolean =>
  TRAITS.has(name) || state.customTraits.has(name)

export const isCustomName = (name: string): boolean => /^CUSTOM_[A-Z0-9_]+$/.test(name) && name.length <= 255
