import type { GpuDevice, NvidiaSmi } from '@/lib/schemas/agent/inventory'

/** Names of GPUs that carry vGPUs or are often passed through, by PCI id. Source: the PCI ID repository. */
const MODELS: Readonly<Record<string, string>> = {
  '10de:1024': 'NVIDIA Tesla K40c',
  '10de:1eb8': 'NVIDIA Tesla T4',
}

const VENDORS: Readonly<Record<string, string>> = { '10de': 'NVIDIA', '1002': 'AMD', '8086': 'Intel' }

/**
 * Name of a pGPU: the driver's, nvidia-smi's, the small table's, else vendor and PCI id (`NVIDIA 10de:1eb8`); a virtual
 * parent goes by its sysfs name.
 */
export const modelName = (gpu: GpuDevice, smi: NvidiaSmi | null): string => {
  const told = gpu.modelName ?? smi?.gpus.find((entry) => entry.address === gpu.address)?.name ?? null
  if (told !== null && told.trim() !== '') return withVendor(told.trim(), gpu.vendorId)
  if (gpu.vendorId === null) return gpu.address
  const id = `${gpu.vendorId}:${gpu.deviceId ?? '????'}`
  return MODELS[id] ?? `${VENDORS[gpu.vendorId] ?? 'PCI'} ${id}`
}

/** Older NVIDIA drivers say `Tesla T4` where newer ones say `NVIDIA A40`: one model, one name. */
const withVendor = (name: string, vendorId: string | null): string =>
  vendorId === '10de' && !/^nvidia\b/i.test(name) ? `NVIDIA ${name}` : name
