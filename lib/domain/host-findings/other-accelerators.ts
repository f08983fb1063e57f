import { isOtherParent } from '@/lib/domain/pgpu/is-gpu'
import { isReservedDriver } from '@/lib/domain/pgpu/vfio-driver'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
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
      sentence: `${formatNoun(others.length, 'accelerator is', 'accelerators are')} not covered: ${listText(names)}`,
      detail: `Reserved for guests: ${listText(names)}. Cards of such a vendor are shown only if an entry of [pci] device_spec matches them.`,
      pgpuAddress: null,
    },
  ]
}

export const otherAccelerators: HostDetector = {
  findings: {
    'accelerator-not-covered': {
      title: 'Accelerators are not covered',
      severities: ['info'],
      detection:
        'sysfs and nova.conf: a GPU or accelerator of another vendor is reserved for guests, and no device_spec matches it.',
      consequence: 'Totals do not include them.',
      nextStep: 'If Nova is to assign them, add them to [pci] device_spec.',
      source: 'nova.conf',
      isRisk: true,
    },
  },
  detect,
}
