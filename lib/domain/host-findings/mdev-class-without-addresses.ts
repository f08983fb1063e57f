import type { Detector } from './detector'

/**
 * A custom class on the default type is ignored for the inventory while the driver then only recognises allocations of it:
 * servers start without a vGPU and without an error.
 */
export const mdevClassWithoutAddresses: Detector = ({ nova }) =>
  (nova?.mdev.types ?? [])
    .filter(
      (type) => type.deviceAddresses.length === 0 && type.mdevClass !== null && type.mdevClass !== 'VGPU',
    )
    .map((type) => ({
      code: 'mdev-class-without-addresses',
      severity: 'error',
      sentence: `${type.mdevClass} of ${type.typeId} has no device_addresses: servers start without a vGPU`,
      detail: `${type.mdevClassSource}: Nova offers VGPU but then looks for allocations of ${type.mdevClass} only. Set device_addresses in [mdev_${type.typeId}], or take mdev_class out.`,
      pgpuAddress: null,
    }))
