import type { GpuDevice, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { MODEL_NAMES } from './model-table'

const VENDORS: Readonly<Record<string, string>> = { '10de': 'NVIDIA', '1002': 'AMD', '8086': 'Intel' }

/** Older NVIDIA drivers say `Tesla T4` where newer ones say `NVIDIA A40`: one model, one name. */
const withVendor = (name: string, vendorId: string | null): string =>
  vendorId === '10de' && !/^nvidia\b/i.test(name) ? `NVIDIA ${name}` : name

type NamedDevice = Pick<
  GpuDevice,
  'address' | 'modelName' | 'vendorId' | 'deviceId' | 'subsystemVendorId' | 'subsystemDeviceId'
>

/**
 * Name of a pGPU: the driver's, nvidia-smi's, the small table's, else vendor and PCI id (`NVIDIA 10de:2bb9`); a virtual
 * parent goes by its sysfs name.
 */
export const modelName = (gpu: NamedDevice, smi: Pick<NvidiaSmi['gpus'][number], 'name'> | null): string => {
  const told = gpu.modelName ?? smi?.name ?? null
  if (told !== null && told.trim() !== '') return withVendor(told.trim(), gpu.vendorId)
  if (gpu.vendorId === null) return gpu.address
  const id = `${gpu.vendorId}:${gpu.deviceId ?? '????'}`
  const subsystem = `${id} ${gpu.subsystemVendorId ?? ''}:${gpu.subsystemDeviceId ?? ''}`
  return MODEL_NAMES[subsystem] ?? MODEL_NAMES[id] ?? `${VENDORS[gpu.vendorId] ?? 'PCI device'} ${id}`
}

/** A card as published types are looked up by it. */
export const cardOf = ({ gpu, smi }: { gpu: NamedDevice; smi: NvidiaSmi['gpus'][number] | null }) => ({
  model: modelName(gpu, smi),
  framebufferMib: smi?.framebufferMib ?? null,
})
