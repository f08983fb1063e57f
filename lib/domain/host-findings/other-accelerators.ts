import { isOtherParent } from '@/lib/domain/pgpu/is-gpu'
import { isReservedDriver } from '@/lib/domain/pgpu/vfio-driver'
import { listText, plural } from '@/lib/domain/wording'
import type { Detector, HostDetector } from './detector'

/** Display controllers and accelerators of other vendors that are reserved for guests, and that Nova does not assign. */
const detect: Detector = ({ inventory, owners }) => {
  const others = inventory.gpus.filter(
    (gpu) =>
      !owners.has(gpu.address) &&
      !isOtherParent(gpu, inventory.vgpuTypes) &&
      gpu.driver !== null &&
      isReservedDriver(gpu.driver),
  )
  if (others.length === 0) return []
  const names = others.map(({ address, vendorId, deviceId }) => `${address} (${vendorId}:${deviceId})`)
  return [
    {
      code: 'accelerator-not-covered',
      severity: 'info',
      sentence: `${plural(others.length, 'accelerator is', 'accelerators are')} not covered: ${listText(names)}`,
      detail: `${listText(names)}: reserved for guests, of a vendor whose cards are shown only where an entry of [pci] device_spec names them.`,
      pgpuAddress: null,
    },
  ]
}

export const otherAccelerators: HostDetector = {
  findings: {
    'accelerator-not-covered': {
      title: 'Accelerators that are not covered',
      severities: ['info'],
      detection:
        'sysfs and nova.conf: a GPU or accelerator of another vendor is reserved for guests, and no device_spec matches it.',
      consequence: 'They are in no total.',
      nextStep: 'Name them in [pci] device_spec if Nova is to assign them.',
      source: 'nova.conf',
      isRisk: true,
    },
  },
  detect,
}
