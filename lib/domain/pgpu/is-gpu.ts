import type { GpuDevice, VgpuType } from '@/lib/schemas/agent/inventory'

const GPU_VENDORS = new Set(['10de', '1002', '8086'])

/** Console graphics of servers that carry a GPU vendor's id: ATI ES1000 and Rage XL. */
const CONSOLE_GRAPHICS = new Set(['1002:515e', '1002:4752', '1002:5159', '1002:5969'])

/** Types of mdevs that are no PCI devices: crypto queues and disks of s390 (kernel, vfio-ap.rst and vfio-ccw.rst). */
const isForPci = ({ typeId, deviceApi }: VgpuType): boolean =>
  deviceApi === null ? !/^vfio_(ap|ccw)-/.test(typeId) : deviceApi === 'vfio-pci'

/** Whether a device is an mdev parent whose types are no PCI devices, so it is not a GPU. */
export const isOtherParent = (device: GpuDevice, vgpuTypes: readonly VgpuType[]): boolean => {
  const types = (device.mdevTypes ?? []).flatMap(([index]) => vgpuTypes[index] ?? [])
  return types.length > 0 && !types.some(isForPci)
}

/**
 * Whether a device is a pGPU: NVIDIA, AMD or Intel display and 3D controllers, accelerators of NVIDIA and AMD (class 1200;
 * Intel's are FPGAs), and each device that is an mdev parent of PCI devices or has NVIDIA's vendor VFIO. Console graphics (ASPEED, Matrox …) is none.
 */
export const isGpu = (device: GpuDevice, vgpuTypes: readonly VgpuType[]): boolean => {
  if (isOtherParent(device, vgpuTypes)) return false
  if (device.mdevTypes !== null || device.vendorVfio !== null) return true
  if (device.virtualFunctions.some((vf) => vf.mdevTypes !== null || vf.vendorVfio !== null)) return true
  if (device.vendorId === null || !GPU_VENDORS.has(device.vendorId)) return false
  if (CONSOLE_GRAPHICS.has(`${device.vendorId}:${device.deviceId ?? ''}`)) return false
  return !(device.vendorId === '8086' && device.classCode?.startsWith('12') === true)
}
