import type { Detector, HostDetector } from './detector'

/**
 * A custom class on the default type is ignored for the inventory, while the driver then only recognizes allocations of
 * it: servers start without a vGPU and without an error.
 */
const detect: Detector = ({ nova }) =>
  (nova?.mdev.types ?? [])
    .filter(
      (type) => type.deviceAddresses.length === 0 && type.mdevClass !== null && type.mdevClass !== 'VGPU',
    )
    .map((type) => ({
      code: 'mdev-class-without-addresses',
      severity: 'error',
      sentence: `${type.mdevClass} of ${type.typeId} has no device_addresses: servers start without a vGPU`,
      detail: `${type.mdevClassSource}: Nova offers VGPU but then searches for allocations of ${type.mdevClass} only. Set device_addresses in [mdev_${type.typeId}], or remove mdev_class. Remove the type if no card is meant to have it.`,
      pgpuAddress: null,
    }))

export const mdevClassWithoutAddresses: HostDetector = {
  findings: {
    'mdev-class-without-addresses': {
      title: 'mdev_class without device_addresses gives servers no vGPU',
      severities: ['error'],
      detection: 'nova.conf: a type has mdev_class and no device_addresses.',
      consequence: 'Servers start without a vGPU and without an error.',
      nextStep:
        'Set device_addresses for the type, or remove mdev_class. Remove the type if no card is meant to have it.',
      source: 'nova.conf',
    },
  },
  detect,
}
