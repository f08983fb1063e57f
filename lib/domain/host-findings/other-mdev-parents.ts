import { isOtherParent } from '@/lib/domain/pgpu/is-gpu'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import type { Detector, HostDetector } from './detector'

/** mdev parents that are no GPUs, such as the crypto adapters of s390 (vfio_ap): skipped, and listed as not covered. */
const detect: Detector = ({ inventory }) => {
  const parents = inventory.gpus.filter((gpu) => isOtherParent(gpu, inventory.vgpuTypes))
  if (parents.length === 0) return []
  const names = listText(parents.map(({ address }) => address))
  return [
    {
      code: 'mdev-parent-not-gpu',
      severity: 'info',
      sentence: `${formatNoun(parents.length, 'mdev parent is not a GPU', 'mdev parents are not GPUs')}: ${names}`,
      detail: `The mdevs of ${names} are not PCI devices, so they are neither counted as vGPUs nor reported as orphaned.`,
      pgpuAddress: null,
    },
  ]
}

export const otherMdevParents: HostDetector = {
  findings: {
    'mdev-parent-not-gpu': {
      title: 'mdev parents that are not GPUs are not covered',
      severities: ['info'],
      detection: 'sysfs: a device on the mdev bus is not a GPU.',
      consequence: 'Their mdevs are listed, but totals do not include them.',
      nextStep: 'No action is required.',
      source: 'hardware',
      isRisk: true,
    },
  },
  detect,
}
