import type { PciIds } from '@/simulator/host-tree/host-spec'
import { H100_TYPES, L40S_TYPES } from './ada-hopper-types'
import { A2_TYPES, A16_TYPES, A40_TYPES, A100_TYPES } from './ampere-types'
import { M10_TYPES, T4_TYPES, V100_TYPES } from './older-types'
import type { ModelType } from './type-table'

export type GpuModel = {
  /** As the driver prints it. */
  name: string
  ids: PciIds
  /** `FB Memory Usage: Total` of nvidia-smi. */
  framebufferMib: number
  totalVfs: number
  types: ModelType[]
}

const nvidia = (device: string, subsystemDevice: string, classCode = '030200'): PciIds => ({
  classCode,
  vendor: '10de',
  device,
  subsystemVendor: '10de',
  subsystemDevice,
})

export const GPU_MODELS = {
  /** From before vGPUs: passthrough as a whole only. */
  K40c: {
    name: 'Tesla K40c',
    ids: nvidia('1024', '0983'),
    framebufferMib: 11520,
    totalVfs: 0,
    types: [],
  },
  M10: {
    name: 'Tesla M10',
    ids: nvidia('13bd', '1160', '030000'),
    framebufferMib: 8191,
    totalVfs: 0,
    types: M10_TYPES,
  },
  V100: {
    name: 'Tesla V100-PCIE-16GB',
    ids: nvidia('1db4', '1214'),
    framebufferMib: 16384,
    totalVfs: 0,
    types: V100_TYPES,
  },
  T4: { name: 'Tesla T4', ids: nvidia('1eb8', '12a2'), framebufferMib: 15360, totalVfs: 0, types: T4_TYPES },
  A2: {
    name: 'NVIDIA A2',
    ids: nvidia('25b6', '157e'),
    framebufferMib: 15356,
    totalVfs: 16,
    types: A2_TYPES,
  },
  A16: {
    name: 'NVIDIA A16',
    ids: nvidia('25b6', '14a9'),
    framebufferMib: 15356,
    totalVfs: 16,
    types: A16_TYPES,
  },
  A40: {
    name: 'NVIDIA A40',
    ids: nvidia('2235', '145a'),
    framebufferMib: 46068,
    totalVfs: 32,
    types: A40_TYPES,
  },
  A100: {
    name: 'NVIDIA A100-PCIE-40GB',
    ids: nvidia('20f1', '145f'),
    framebufferMib: 40960,
    totalVfs: 16,
    types: A100_TYPES,
  },
  L40S: {
    name: 'NVIDIA L40S',
    ids: nvidia('26b9', '1851'),
    framebufferMib: 46068,
    totalVfs: 32,
    types: L40S_TYPES,
  },
  H100: {
    name: 'NVIDIA H100 PCIe',
    ids: nvidia('2331', '1626'),
    framebufferMib: 81559,
    totalVfs: 20,
    types: H100_TYPES,
  },
} satisfies Record<string, GpuModel>

export type GpuModelName = keyof typeof GPU_MODELS
