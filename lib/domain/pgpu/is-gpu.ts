import type { GpuDevice } from '@/lib/schemas/agent/inventory'

const GPU_VENDORS = new Set(['10de', '1002', '8086'])

/** Console graphics of servers that carry a GPU vendor's id: ATI ES1000 and Rage XL. */
const CONSOLE_GRAPHICS = new Set(['1002:515e', '1002:4752', '1002:5159', '1002:5969'])

/**
 * Whether a device is a pGPU: NVIDIA, AMD or Intel display and 3D controllers, accelerators of NVIDIA and AMD (class 1200;
 * Intel's are FPGAs), and whatever is an mdev parent or has NVIDIA's vendor VFIO. Console graphics (ASPEED, Matrox …) is none.
 */
export const isGpu = (device: GpuDevice): boolean => {
  if (device.mdevTypes !== null || device.vendorVfio !== null) return true
  if (device.virtualFunctions.some((vf) => vf.mdevTypes !== null || vf.vendorVfio !== null)) return true
  if (device.vendorId === null || !GPU_VENDORS.has(device.vendorId)) return false
  if (CONSOLE_GRAPHICS.has(`${device.vendorId}:${device.deviceId ?? ''}`)) return false
  return !(device.vendorId === '8086' && device.classCode?.startsWith('12') === true)
}
