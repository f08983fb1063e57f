import type { GpuSpec, HostSpec } from './host-spec'
import { addAttribute, addFile, type Tree } from './tree'

const osRelease = (spec: HostSpec): string =>
  [
    `PRETTY_NAME="${spec.system.osPrettyName}"`,
    `NAME="${spec.system.osPrettyName.split(' ')[0]}"`,
    `VERSION_ID="${spec.system.osVersionId}"`,
    `ID=${spec.system.osId}`,
    'HOME_URL="https://www.example.org/"',
    '',
  ].join('\n')

const meminfo = (node: { id: number; memoryMib: number }): string =>
  [
    `Node ${node.id} MemTotal:       ${node.memoryMib * 1024} kB`,
    `Node ${node.id} MemFree:        ${node.memoryMib * 512} kB`,
    `Node ${node.id} MemUsed:        ${node.memoryMib * 512} kB`,
    '',
  ].join('\n')

const nvidiaInformation = (gpu: GpuSpec, modelName: string, minor: number): string =>
  [
    `Model: \t\t ${modelName}`,
    `IRQ:   \t\t ${60 + minor}`,
    `GPU UUID: \t ${gpuUuid(gpu.address)}`,
    'Video BIOS: \t 90.04.38.00.03',
    'Bus Type: \t PCIe',
    'DMA Size: \t 47 bits',
    'DMA Mask: \t 0x7fffffffffff',
    `Bus Location: \t ${gpu.address}`,
    `Device Minor: \t ${minor}`,
    'GPU Excluded:\t No',
    '',
  ].join('\n')

/** Stable and unlike for each address; nvidia-smi and /proc must agree. */
export const gpuUuid = (address: string): string => {
  const bus = address.slice(5, 7)
  const slot = address.slice(8).replace('.', '')
  return `GPU-5d${bus}${slot}a-7c1e-4b6f-9a20-3f8e${bus}d1${slot}9c4`
}

/** GPUs that NVIDIA's kernel module drives, in the order of their minors. */
export const nvidiaGpus = (spec: HostSpec): { gpu: GpuSpec; modelName: string }[] =>
  spec.gpus.flatMap((gpu) =>
    gpu.driver === 'nvidia' && gpu.modelName !== null ? [{ gpu, modelName: gpu.modelName }] : [],
  )

export const renderSystem = (tree: Tree, spec: HostSpec): void => {
  const { system } = spec
  addFile(tree, '/etc/os-release', osRelease(spec))
  addFile(tree, '/etc/hostname', `${spec.name}\n`)
  addAttribute(tree, '/proc/sys/kernel/osrelease', system.kernel)
  const last = spec.numaNodes.at(-1)?.id ?? 0
  addAttribute(tree, '/sys/devices/system/node/online', last === 0 ? '0' : `0-${last}`)
  for (const node of spec.numaNodes) {
    const at = `/sys/devices/system/node/node${node.id}`
    addAttribute(tree, `${at}/cpulist`, node.cpus)
    addFile(tree, `${at}/meminfo`, meminfo(node), 0o444)
  }
  if (system.nvidiaDriverVersion === null) return
  addFile(
    tree,
    '/proc/driver/nvidia/version',
    `NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${system.nvidiaDriverVersion}  Tue Mar  5 22:18:10 UTC 2024\n` +
      'GCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)\n',
    0o444,
  )
  nvidiaGpus(spec).forEach(({ gpu, modelName }, minor) => {
    const at = `/proc/driver/nvidia/gpus/${gpu.address}/information`
    addFile(tree, at, nvidiaInformation(gpu, modelName, minor), 0o444)
  })
}
